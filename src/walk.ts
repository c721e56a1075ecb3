import { Joining, type Seen } from "./joining.js";
import { Path, type Stretch, type WalkText } from "./path.js";

/**
 * Walks through many texts, and at many places of one text, with at most `maxConcurrency` questions
 * in flight. A walk ends where it meets another: from there they are one.
 */
export class Walks {
  readonly #paths = new Set<Path>();
  readonly #seen: Seen = { hits: 0, misses: 0, excess: 0 };
  #free: number;
  #pumping = false;
  #wanted = false;

  constructor(private readonly maxConcurrency: number) {
    this.#free = maxConcurrency;
  }

  /** Begins to walk a text as soon as there is a place free. `onError` is called at most once. */
  add(text: WalkText, onError: (error: unknown) => void): Path {
    const joining = new Joining(text, this.maxConcurrency, this.#seen);
    const path = new Path(text, joining, {
      step: () => this.pump(),
      error: onError,
      end: () => this.#paths.delete(path),
    });
    this.#paths.add(path);
    queueMicrotask(() => this.pump());
    return path;
  }

  /** Sends out walks as long as there are places free: first where each text goes on, then more. */
  pump(): void {
    // a walk that is sent out pumps again: in turn, not one within the other
    this.#wanted = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#wanted && this.#free > 0) {
        this.#wanted = false;
        this.#sendOut();
      }
    } finally {
      this.#pumping = false;
    }
  }

  #sendOut(): void {
    for (const path of this.#paths) {
      if (this.#free === 0) return;
      this.#start(path, path.front());
    }
    for (const { path, from, to, walks, led } of this.#shared()) {
      if (!led) this.#start(path, from);
      this.#divide(path, from, to, walks);
    }
  }

  #start(path: Path, begin: number | undefined): void {
    if (begin === undefined || this.#free === 0) return;
    this.#free -= 1;
    path.walk(begin).finally(() => {
      this.#free += 1;
      this.pump();
    });
  }

  /** The stretches that get another walk, the free places being given to the largest shares. */
  #shared(): Stretch[] {
    const stretches = [...this.#paths].flatMap((path) => path.stretches());
    const room = new Map([...this.#paths].map((path) => [path, path.room]));
    for (let free = this.#free; free > 0; free--) {
      let best: Stretch | undefined;
      for (const stretch of stretches) {
        const worth = (room.get(stretch.path) ?? 0) > 0 && share(stretch) >= stretch.path.worth;
        if (worth && (best === undefined || share(stretch) > share(best))) best = stretch;
      }
      if (best === undefined) break;
      best.walks += 1;
      room.set(best.path, (room.get(best.path) ?? 0) - 1);
    }
    return stretches.filter(({ walks, led }) => walks > (led ? 1 : 0));
  }

  /** Begins walks inside a stretch that already has one at its lower end. */
  #divide(path: Path, from: number, to: number, walks: number): void {
    if (walks < 2) return;
    const below = Math.ceil(walks / 2);
    const begin = path.split(from, to, below / walks);
    if (begin === undefined) return;
    this.#divide(path, from, begin, below);
    this.#start(path, begin);
    this.#divide(path, begin, to, walks - below);
  }
}

/** Questions for each walk in a stretch, if it gets one more. */
function share({ questions, walks }: Stretch): number {
  return questions / (walks + 1);
}
