import fc from 'fast-check'

/** One of the two instances. */
export type At = 0 | 1
export const other = (at: At): At => (at === 0 ? 1 : 0)

/** What somebody does; numbers that choose a conversation, request or person count modulo those that there are. */
export type Act =
  /** `copies`: how often it is sent at the same moment, as a double click does. */
  | { do: 'form'; kind: 'support' | 'contact'; at: At; copies: number }
  /** `isTwice`: the mailbox receives it twice. `isAnswered`: the customer replies to the acknowledgement. */
  | { do: 'mail'; isTwice: boolean; isAnswered: boolean }
  | { do: 'reply'; request: number; at: At }
  | { do: 'chat'; at: At; messages: number }
  | { do: 'message'; chat: number }
  /** A visitor's device changes its network: the same page reconnects to the other instance. */
  | { do: 'move'; chat: number }
  | { do: 'claim'; chat: number; by: number; isRace: boolean }
  | { do: 'answer'; chat: number }
  | { do: 'hand over'; chat: number; to: number; isAccepted: boolean }
  | { do: 'close'; chat: number }
  | { do: 'signal'; monitor: number; state: 'up' | 'down'; at: At }
  | { do: 'incident'; at: At; updates: number }

export type Fault =
  | { do: 'kill'; at: At }
  | { do: 'freeze'; at: At; forMs: number }
  | { do: 'partition'; at: At; from: 'redis' | 'database'; how: WireFault; forMs: number }
  | { do: 'mail server'; how: WireFault | 451 | 'unacknowledged'; forMs: number }
  | { do: 'restart'; of: 'redis' | 'database' }
  | { do: 'frames'; how: 'dropped' | 'repeated'; forMs: number }
  | { do: 'clock'; at: At; shiftMs: number; forMs: number }
  | { do: 'full disk'; of: At | 'database'; forMs: number }

/** `refused`: connections close. `silent`: nothing passes. `slow`: everything is late. `cut`: closed within a packet. */
export type WireFault = (typeof wireFaults)[number]
export const wireFaults = ['refused', 'silent', 'slow', 'cut'] as const

/** `afterMs`: the pause since the step before. Steps do not wait for each other. */
export type Step = { afterMs: number } & (Act | Fault)

export const faultKinds = ['kill', 'freeze', 'partition', 'mail server', 'restart', 'frames', 'clock', 'full disk'] as const
export const isFault = (step: Act | Fault): step is Fault => (faultKinds as readonly string[]).includes(step.do)

/** `steps`: the most of one history. `pauseMs`, `faultMs`: the longest. `hasDisks`: whether file systems may be mounted. */
export type Scale = { steps: number; actsPerFault: number; pauseMs: number; faultMs: number; hasDisks: boolean }

const minuteMs = 60_000
const at = fc.constantFrom<At>(0, 1)
const pick = fc.nat({ max: 999 })
const act = <A extends Act>(weight: number, arbitrary: fc.Arbitrary<A>) => ({ weight, arbitrary })

const acts = fc.oneof<fc.MaybeWeightedArbitrary<Act>[]>(
  act(
    10,
    fc.record({
      do: fc.constant('form' as const),
      kind: fc.constantFrom('support', 'contact'),
      at,
      copies: fc.integer({ min: 1, max: 2 }),
    }),
  ),
  act(6, fc.record({ do: fc.constant('mail' as const), isTwice: fc.boolean(), isAnswered: fc.boolean() })),
  act(3, fc.record({ do: fc.constant('reply' as const), request: pick, at })),
  act(6, fc.record({ do: fc.constant('chat' as const), at, messages: fc.integer({ min: 1, max: 3 }) })),
  act(5, fc.record({ do: fc.constant('message' as const), chat: pick })),
  act(2, fc.record({ do: fc.constant('move' as const), chat: pick })),
  act(6, fc.record({ do: fc.constant('claim' as const), chat: pick, by: pick, isRace: fc.boolean() })),
  act(6, fc.record({ do: fc.constant('answer' as const), chat: pick })),
  act(2, fc.record({ do: fc.constant('hand over' as const), chat: pick, to: pick, isAccepted: fc.boolean() })),
  act(1, fc.record({ do: fc.constant('close' as const), chat: pick })),
  act(3, fc.record({ do: fc.constant('signal' as const), monitor: pick, state: fc.constantFrom('up', 'down'), at })),
  act(1, fc.record({ do: fc.constant('incident' as const), at, updates: fc.integer({ min: 0, max: 2 }) })),
)

function faults({ faultMs, hasDisks }: Scale) {
  const forMs = fc.integer({ min: Math.ceil(faultMs / 10), max: faultMs })
  const how = fc.constantFrom(...wireFaults)
  const shiftMs = fc.constantFrom(-20 * minuteMs, -2 * minuteMs, 2 * minuteMs, 20 * minuteMs)
  const always: fc.WeightedArbitrary<Fault>[] = [
    { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('freeze' as const), at, forMs }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('partition' as const),
        at,
        from: fc.constantFrom('redis', 'database'),
        how,
        forMs,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('mail server' as const),
        how: fc.oneof(how, fc.constantFrom(451 as const, 'unacknowledged' as const)),
        forMs,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), of: fc.constantFrom('redis', 'database') }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('frames' as const), how: fc.constantFrom('dropped', 'repeated'), forMs }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('clock' as const), at, shiftMs, forMs }) },
  ]
  const disk = fc.record({
    do: fc.constant('full disk' as const),
    of: fc.constantFrom<At | 'database'>(0, 1, 'database'),
    forMs,
  })
  return fc.oneof(...always, ...(hasDisks ? [{ weight: 2, arbitrary: disk }] : []))
}

/** Histories: what people do, and faults among it. */
export function histories(scale: Scale): fc.Arbitrary<Step[]> {
  const afterMs = fc.nat({ max: scale.pauseMs })
  const what = fc.oneof<fc.MaybeWeightedArbitrary<Act | Fault>[]>(
    { weight: scale.actsPerFault, arbitrary: acts },
    { weight: 1, arbitrary: faults(scale) },
  )
  const step = fc.tuple(afterMs, what).map(([pause, one]): Step => ({ afterMs: pause, ...one }))
  return fc.array(step, { maxLength: scale.steps, size: 'max' })
}
