import { hash, verify } from '@node-rs/argon2'

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string) {
  return hash(password, cost)
}

/** Nobody's password: what is checked where there is no such user, so that the answer takes the same time. */
const decoy = hashPassword('nobody has this password')

export async function isPasswordRight(passwordHash: string | null | undefined, password: string) {
  const right = await verify(passwordHash ?? (await decoy), password)
  return right && Boolean(passwordHash)
}

/** Hashes a secret with the salt of a stored hash, so that the two can be compared as texts. */
export async function hashLike(storedHash: string, secret: string) {
  const salt = storedHash.split('$')[4] ?? ''
  return hash(secret, { ...cost, salt: Buffer.from(salt, 'base64') })
}

/** Hashes secrets of one person under one salt: one computation later finds the right one among them. */
export async function hashTogether(secrets: readonly string[]) {
  const [first, ...others] = secrets
  if (first === undefined) return []
  const firstHash = await hashPassword(first)
  return [firstHash, ...(await Promise.all(others.map((secret) => hashLike(firstHash, secret))))]
}
