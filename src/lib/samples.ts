/** Metrics of one instance at a time; null where not measured. Times are in milliseconds. */
export type Sample = {
  /** Epoch milliseconds. */
  at: number
  /** Per second, averaged since the previous sample. */
  requests: number
  request_p95: number | null
  loop_p99: number | null
  sockets: number | null
  chats_waiting: number | null
  message_p95: number | null
  queue_depth: number | null
  mails_waiting: number | null
  /** Failed attempts since the previous sample. */
  mail_failures: number
  memory_mb: number
}

const worst = [
  'request_p95',
  'loop_p99',
  'sockets',
  'chats_waiting',
  'message_p95',
  'queue_depth',
  'mails_waiting',
] as const satisfies (keyof Sample)[]

/** Merges consecutive samples: the mean of rates, the sum of counts, the maximum of the rest. */
export function mergeSamples(samples: readonly Sample[]): Sample | null {
  const last = samples.at(-1)
  if (!last) return null
  const sum = (field: 'requests' | 'mail_failures') => samples.reduce((total, sample) => total + sample[field], 0)
  const merged: Sample = {
    ...last,
    requests: sum('requests') / samples.length,
    mail_failures: sum('mail_failures'),
    memory_mb: Math.max(...samples.map(({ memory_mb }) => memory_mb)),
  }
  for (const field of worst) {
    const known = samples.map((sample) => sample[field]).filter((value) => value !== null)
    merged[field] = known.length === 0 ? null : Math.max(...known)
  }
  return merged
}

/** One sample for each period of `milliseconds`. */
export function downsample(samples: readonly Sample[], milliseconds: number): Sample[] {
  const groups = Map.groupBy(samples, ({ at }) => Math.floor(at / milliseconds))
  return [...groups.values()].flatMap((group) => mergeSamples(group) ?? [])
}
