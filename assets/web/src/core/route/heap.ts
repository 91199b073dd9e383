/** A binary min-heap of numbers, ordered by priority. */
export class MinHeap {
  readonly #items: number[] = [];
  readonly #priorities: number[] = [];

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  clear(): void {
    this.#items.length = 0;
    this.#priorities.length = 0;
  }

  push(item: number, priority: number): void {
    const items = this.#items;
    const priorities = this.#priorities;
    let at = items.length;
    items.push(item);
    priorities.push(priority);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((priorities[parent] as number) <= priority) break;
      items[at] = items[parent] as number;
      priorities[at] = priorities[parent] as number;
      at = parent;
    }
    items[at] = item;
    priorities[at] = priority;
  }

  pop(): number {
    const items = this.#items;
    const priorities = this.#priorities;
    const top = items[0] as number;
    const item = items.pop() as number;
    const priority = priorities.pop() as number;
    const size = items.length;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && (priorities[child + 1] as number) < (priorities[child] as number)) child++;
      if ((priorities[child] as number) >= priority) break;
      items[at] = items[child] as number;
      priorities[at] = priorities[child] as number;
      at = child;
    }
    items[at] = item;
    priorities[at] = priority;
    return top;
  }
}
