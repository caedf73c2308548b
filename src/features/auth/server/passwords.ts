import { hash, verify } from '@node-rs/argon2'

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let decoy: Promise<string> | undefined

export function hashPassword(password: string) {
  return hash(password, cost)
}

/** Takes the same time where there is no such user: a made-up hash is checked instead, and refused. */
export async function isPasswordRight(passwordHash: string | null | undefined, password: string) {
  decoy ??= hashPassword('nobody has this password')
  const right = await verify(passwordHash ?? (await decoy), password)
  return right && Boolean(passwordHash)
}
