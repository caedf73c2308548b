import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import { topics, usualTopics } from './values.ts'
import { email, id, limits, requiredLine } from '#src/lib/schemas.ts'

export type Topic = (typeof topics)[number]
export const subscriberStates = ['pending', 'active', 'paused', 'left'] as const

const topicList = z
  .array(z.enum(topics))
  .min(1, 'required')
  .max(topics.length)
  .transform((list) => topics.filter((topic) => list.includes(topic)))
const networkList = z.array(id).min(1).max(200).nullable()
const language = z.enum(languages)

/** The request is the consent; the page's form has a box for it. */
export const subscriptionInput = z.strictObject({
  email,
  language,
  networks: networkList.default(null),
  topics: topicList.default([...usualTopics]),
})
export type SubscriptionInput = z.infer<typeof subscriptionInput>

export type SubscriptionChoices = Pick<SubscriptionInput, 'language' | 'networks' | 'topics'>

/** A subscriber as staff sees them, with their consent. */
export const subscriber = z.object({
  id_subscriber: id,
  email: z.string(),
  language,
  networks: z.array(z.int()).nullable(),
  topics: z.array(z.enum(topics)),
  state: z.enum(subscriberStates),
  created_at: z.string(),
  confirmed_at: z.string().nullable(),
  left_at: z.string().nullable(),
  bounces: z.int(),
  bounce_reason: z.string(),
  consent: z.object({ text: z.string(), at: z.string(), address: z.string() }),
})
export type Subscriber = z.infer<typeof subscriber>

/** The reason stands in the audit log, the addresses do not. */
export const subscriberCorrection = z.strictObject({ email, reason: requiredLine(limits.name) })

/** How many readers a mail goes to, by language. */
export const audience = z.object({ fr: z.int(), en: z.int() })
export type Audience = z.infer<typeof audience>

/** Active subscribers by language: all, for each network with those who chose none, and for each topic. */
export const subscriberCounts = z.object({
  active: audience,
  networks: z.array(audience.extend({ id_reseau: id })),
  topics: z.record(z.enum(topics), audience),
  pending: z.int(),
  paused: z.int(),
  left: z.int(),
})
export type SubscriberCounts = z.infer<typeof subscriberCounts>
