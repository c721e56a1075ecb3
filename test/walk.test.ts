import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Walks } from "../src/walk.js";

/** For each start, how far it is to the next. */
type Steps = readonly number[];

interface Pending {
  text: Text;
  start: number;
  resolve(next: number | undefined): void;
  reject(error: unknown): void;
}

/** A text of as many units as there are steps; its answers come when the scheduler says so. */
class Text {
  readonly asked: number[] = [];
  readonly answered = new Set<number>();
  readonly pending = new Map<number, Pending>();
  readonly read: number[] = [];
  readonly errors: unknown[] = [];
  known: number;
  outcome: { error?: unknown } | undefined;
  #looks = 0;
  #front = 0;

  constructor(
    readonly steps: Steps,
    known = steps.length,
  ) {
    this.known = known;
  }

  /** Who looks too often without a step in between would look for ever. */
  get size(): number {
    this.#looks += 1;
    if (this.#looks > 100_000) throw new Error("The walks turn in a circle");
    return this.known;
  }

  after(start: number): number {
    return Math.min(start + Math.max(1, this.steps[start] ?? 1), this.steps.length);
  }

  get way(): number[] {
    const way: number[] = [];
    for (let at = 0; at < this.steps.length; at = this.after(at)) way.push(this.after(at));
    return way;
  }

  /** Where the way from 0 is known to. */
  get front(): number {
    while (this.#front < this.steps.length && this.answered.has(this.#front))
      this.#front = this.after(this.#front);
    return this.#front;
  }

  next(start: number): Promise<number | undefined> {
    this.asked.push(start);
    return new Promise((resolve, reject) => {
      this.pending.set(start, { text: this, start, resolve, reject });
    });
  }

  answer({ start, resolve }: Pending): void {
    this.#looks = 0;
    this.pending.delete(start);
    this.answered.add(start);
    resolve(start < this.steps.length ? this.after(start) : undefined);
  }

  fail({ start, reject }: Pending, error: unknown): void {
    this.pending.delete(start);
    reject(error);
  }
}

/** Lets everything run that need not wait for an answer. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Schedule {
  maxConcurrency: number;
  /** Numbers from 0 to before 1 that decide who is answered next. */
  random: () => number;
  /** Called before each answer; true where it has done something in its place. */
  instead?: (pending: Pending, walks: Walks) => boolean;
  check?: (texts: readonly Text[], inFlight: number) => void;
}

/** Walks texts to their ends, an answer at a time; throws when nothing goes on any more. */
async function walk(
  texts: readonly Text[],
  { maxConcurrency, random, instead, check }: Schedule,
): Promise<void> {
  const walks = new Walks(maxConcurrency);
  for (const text of texts) {
    const path = walks.add(text, (error) => text.errors.push(error));
    const read = async () => {
      for await (const start of path) text.read.push(start);
    };
    read().then(
      () => {
        text.outcome = {};
      },
      (error: unknown) => {
        text.outcome = { error };
      },
    );
  }
  const units = texts.reduce((sum, { steps }) => sum + steps.length + 1, 0);
  for (let turn = 0; turn <= 4 * units; turn++) {
    await settle();
    const pending = texts.flatMap((text) => [...text.pending.values()]);
    if (pending.length > maxConcurrency) throw new Error(`${pending.length} questions in flight`);
    check?.(texts, pending.length);
    const growing = texts.filter(({ known, steps }) => known < steps.length);
    const ready = pending.filter(
      ({ text, start }) => start < text.known || !growing.includes(text),
    );
    const choice = Math.floor(random() * (ready.length + growing.length));
    const chosen = ready[choice];
    const grows = growing[choice - ready.length];
    if (chosen !== undefined) {
      if (instead?.(chosen, walks) !== true) chosen.text.answer(chosen);
    } else if (grows !== undefined) {
      grows.known = Math.min(grows.steps.length, grows.known + 1 + Math.floor(random() * 40));
      walks.pump();
    } else {
      if (texts.every(({ outcome }) => outcome !== undefined)) return;
      throw new Error("Nothing goes on any more");
    }
  }
  throw new Error("More answers than units");
}

const steps: fc.Arbitrary<Steps> = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 200 }),
  fc.array(fc.constantFrom(1, 1, 1, 30), { maxLength: 200 }),
  fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 200 }),
  fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 300 }))
    .map(([step, length]) => Array.from({ length }, () => step)),
  // walks from even and from odd units never join
  fc.array(fc.constantFrom(2, 4, 6, 8), { maxLength: 300 }),
);

const schedule = fc.record({
  maxConcurrency: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 64 })),
  seed: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  order: fc.constantFrom("random", "first", "last"),
});

function randomOf({ seed, order }: { seed: Iterator<number>; order: string }): () => number {
  if (order === "first") return () => 0;
  if (order === "last") return () => 0.999_999;
  return () => Number(seed.next().value);
}

describe("Walks", () => {
  it("follows the answers from 0 to the end, whatever else is asked meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(steps, schedule, async (steps, { maxConcurrency, ...order }) => {
        const text = new Text(steps);
        await walk([text], { maxConcurrency, random: randomOf(order) });
        expect(text.outcome).toEqual({});
        expect(text.read).toEqual(text.way);
        expect(text.errors).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("asks no start twice, and none outside the text", async () => {
    await fc.assert(
      fc.asyncProperty(steps, schedule, async (steps, { maxConcurrency, ...order }) => {
        const text = new Text(steps);
        await walk([text], { maxConcurrency, random: randomOf(order) });
        expect(new Set(text.asked).size).toBe(text.asked.length);
        expect(text.asked.filter((start) => start < 0 || start > steps.length)).toEqual([]);
        expect(text.asked.every(Number.isInteger)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("asks exactly the way where one question is in flight at a time", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const text = new Text(steps);
        await walk([text], { maxConcurrency: 1, random: () => 0 });
        expect(text.asked).toEqual([0, ...text.way]);
      }),
      { numRuns: 100 },
    );
  });

  it("keeps the way of every text going while a place is free", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 1, maxLength: 12 }),
        schedule,
        async (all, { maxConcurrency, ...order }) => {
          const texts = all.map((steps) => new Text(steps));
          const idle: number[] = [];
          const check = (texts: readonly Text[], inFlight: number) => {
            if (inFlight === maxConcurrency) return;
            for (const { front, pending, outcome } of texts)
              if (outcome === undefined && !pending.has(front)) idle.push(front);
          };
          await walk(texts, { maxConcurrency, random: randomOf(order), check });
          expect(idle).toEqual([]);
          for (const text of texts) expect(text.read).toEqual(text.way);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("begins a walk in each text before a second one in any", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 64 }),
        async (all, maxConcurrency) => {
          const texts = all.map((steps) => new Text(steps));
          let begun = false;
          const check = () => {
            if (begun) return;
            begun = true;
            const first = texts.slice(0, maxConcurrency);
            expect(first.filter(({ asked }) => !asked.includes(0))).toEqual([]);
          };
          await walk(texts, { maxConcurrency, random: () => 0, check });
          expect(begun).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("uses its places where there is enough to walk", async () => {
    const steps = Array.from({ length: 2000 }, (_, i) => 1 + ((i * 7919) % 11));
    for (const maxConcurrency of [2, 8, 16]) {
      let most = 0;
      await walk([new Text(steps)], {
        maxConcurrency,
        random: () => 0,
        check: (_, inFlight) => {
          most = Math.max(most, inFlight);
        },
      });
      expect(most).toBe(maxConcurrency);
    }
  });

  it("walks texts whose units are still being found", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(steps, fc.nat({ max: 40 })), { minLength: 1, maxLength: 4 }),
        schedule,
        async (all, { maxConcurrency, ...order }) => {
          const texts = all.map(([steps, known]) => new Text(steps, Math.min(known, steps.length)));
          await walk(texts, { maxConcurrency, random: randomOf(order) });
          for (const text of texts) {
            expect(text.read).toEqual(text.way);
            expect(new Set(text.asked).size).toBe(text.asked.length);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("takes texts that come while others are walked", async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, schedule, async (one, two, { maxConcurrency, ...order }) => {
        const [first, second] = [new Text(one), new Text(two)];
        const read: number[] = [];
        let added = false;
        const instead = (_: Pending, walks: Walks) => {
          if (added) return false;
          added = true;
          const path = walks.add(second, (error) => second.errors.push(error));
          const follow = async () => {
            for await (const start of path) read.push(start);
          };
          follow().then(() => {
            second.outcome = {};
          });
          return false;
        };
        await walkBoth(first, second, { maxConcurrency, random: randomOf(order), instead });
        expect(first.read).toEqual(first.way);
        expect(read).toEqual(second.way);
      }),
      { numRuns: 100 },
    );
  });
});

/** Walks a text while another, which the schedule adds, is answered too. */
async function walkBoth(first: Text, second: Text, schedule: Schedule): Promise<void> {
  const { random, instead } = schedule;
  await walk([first], {
    ...schedule,
    instead: (pending, walks) => {
      const done = instead?.(pending, walks) === true;
      const [other] = second.pending.values();
      if (other !== undefined && random() < 0.5) second.answer(other);
      return done;
    },
  });
  for (let turn = 0; second.outcome === undefined; turn++) {
    if (turn > 4 * second.steps.length + 8) throw new Error("Nothing goes on any more");
    const [other] = second.pending.values();
    if (other !== undefined) second.answer(other);
    await settle();
  }
}

describe("an error", () => {
  const failing = fc.tuple(steps, schedule, fc.nat());

  it("stops its text at once: nothing more is asked, and who reads it gets the very error", async () => {
    await fc.assert(
      fc.asyncProperty(failing, async ([steps, { maxConcurrency, ...order }, nth]) => {
        const text = new Text(steps);
        const error = new Error("429");
        const at = nth % (text.way.length + 1);
        let answers = 0;
        let askedBefore = -1;
        const instead = (pending: Pending) => {
          if (answers++ !== at) return false;
          askedBefore = text.asked.length;
          text.fail(pending, error);
          return true;
        };
        await walk([text], { maxConcurrency, random: randomOf(order), instead });
        expect(askedBefore).toBeGreaterThan(0);
        expect(text.asked).toHaveLength(askedBefore);
        expect(text.errors).toEqual([error]);
        expect(text.outcome?.error).toBe(error);
        expect(text.read).toEqual(text.way.slice(0, text.read.length));
      }),
      { numRuns: 200 },
    );
  });

  it("is told once, also when more follow, and other texts go on", async () => {
    await fc.assert(
      fc.asyncProperty(failing, async ([steps, { maxConcurrency, ...order }, nth]) => {
        const [bad, good] = [new Text(steps), new Text([3, 1, 4, 1, 5, 9, 2, 6])];
        const at = nth % (bad.way.length + 1);
        let answers = 0;
        const instead = (pending: Pending) => {
          if (pending.text !== bad || answers++ < at) return false;
          bad.fail(pending, new Error(`failure ${answers}`));
          return true;
        };
        await walk([bad, good], { maxConcurrency, random: randomOf(order), instead });
        expect(bad.errors).toHaveLength(1);
        expect(bad.outcome?.error).toBe(bad.errors[0]);
        expect(good.read).toEqual(good.way);
        expect(good.errors).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it.each([0, -1, Number.NaN])("an answer that does not advance (%d) is one", async (by) => {
    const text = new Text([1, 1, 1, 1]);
    const instead = (pending: Pending) => {
      if (pending.start !== 2) return false;
      text.pending.delete(2);
      pending.resolve(2 + by);
      return true;
    };
    await walk([text], { maxConcurrency: 1, random: () => 0, instead });
    expect(text.outcome?.error).toBeInstanceOf(RangeError);
    expect(text.read).toEqual([1, 2]);
  });
});

describe("stop", () => {
  it("ends the reading with its error and asks nothing more", async () => {
    await fc.assert(
      fc.asyncProperty(steps, schedule, fc.nat({ max: 10 }), async (steps, options, after) => {
        const { maxConcurrency, ...order } = options;
        const random = randomOf(order);
        const text = new Text(steps);
        const reason = new Error("enough");
        const walks = new Walks(maxConcurrency);
        const path = walks.add(text, (error) => text.errors.push(error));
        const reading = (async () => {
          for await (const start of path) text.read.push(start);
        })();
        reading.catch(() => undefined);
        for (let i = 0; i < after; i++) {
          await settle();
          const pending = [...text.pending.values()];
          const chosen = pending[Math.floor(random() * pending.length)];
          if (chosen !== undefined) text.answer(chosen);
        }
        await settle();
        const asked = text.asked.length;
        const finished = text.read.at(-1) === steps.length && text.pending.size === 0;
        path.stop(reason);
        path.stop(new Error("a second one changes nothing"));
        for (const pending of [...text.pending.values()]) text.answer(pending);
        await settle();
        expect(text.asked).toHaveLength(asked);
        expect(text.errors).toEqual([]);
        if (finished) return;
        const outcome = await Promise.allSettled([reading]);
        if (text.read.length < text.way.length)
          expect(outcome).toEqual([{ status: "rejected", reason }]);
      }),
      { numRuns: 150 },
    );
  });
});
