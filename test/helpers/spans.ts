import { expect } from "vitest";
import type { Paragraph, Span } from "../../src/paragraphs.js";

/** Fails unless the spans lie in order inside `within`, with white space only around them. */
export function expectCover(text: string, spans: readonly Span[], within: Span): void {
  let end = within.start;
  for (const span of spans) {
    expect(span.start).toBeGreaterThanOrEqual(end);
    expect(span.end).toBeGreaterThan(span.start);
    expect(text.slice(end, span.start).trim()).toBe("");
    expect(text.slice(span.start, span.end).trim()).not.toBe("");
    end = span.end;
  }
  expect(end).toBeLessThanOrEqual(within.end);
  expect(text.slice(end, within.end).trim()).toBe("");
}

/** Fails unless paragraphs cover the text, and the parts of each cover it. */
export function expectParagraphs(text: string, paragraphs: readonly Paragraph[]): void {
  expectCover(text, paragraphs, { start: 0, end: text.length });
  for (const paragraph of paragraphs) {
    if (paragraph.parts !== undefined) expectCover(text, paragraph.parts, paragraph);
  }
}

/** The texts of spans. */
export function texts(text: string, spans: Iterable<Span> | undefined): string[] {
  return [...(spans ?? [])].map(({ start, end }) => text.slice(start, end));
}
