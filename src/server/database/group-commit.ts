type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

/**
 * Group commit: a transaction takes hardly longer for many items than for one, so items that come while one runs are stored
 * together by the next, `most` at a time. `store` returns a result for each item, in their order. Where it fails for several,
 * each is stored alone, so that one item cannot take the others along.
 */
export function createGroupCommit<Item, Result>(most: number, store: (items: Item[]) => Promise<Result[]>) {
  const waiting: Waiting<Item, Result>[] = []
  let isStoring = false

  async function storeAll() {
    isStoring = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, most)
      const results = await store(group.map(({ item }) => item)).catch((error: unknown) => settleAlone(group, error))
      if (results) for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result)
    }
    isStoring = false
  }

  async function settleAlone(group: Waiting<Item, Result>[], error: unknown) {
    if (group.length === 1) return group[0]?.reject(error)
    for (const { item, resolve, reject } of group) await store([item]).then(([result]) => resolve(result as Result), reject)
  }

  return (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isStoring) void storeAll()
    })
}
