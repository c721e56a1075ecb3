/** A table as it is printed: what is measured, and rows that all have the same columns. */
export interface Table {
  title: string;
  /** One line on what is measured. */
  about: string;
  rows: Record<string, string | number>[];
}

export function print({ title, about, rows }: Table): void {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const padded = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))),
  );
  const rule = widths.map((width) => "-".repeat(width));
  const [head = [], ...body] = padded;
  console.log(`\n${title}\n${about}\n`);
  for (const line of [head, rule, ...body]) console.log(line.join("  "));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle - 1)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
