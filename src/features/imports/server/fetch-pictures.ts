import { Refused } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { fetchOutside, ForbiddenAddress, NotFetched } from '#src/server/http/outgoing.ts'

/** Pictures that are fetched side by side. */
export const mostAtOnce = 3
const maxBytes = 8 * 1024 * 1024
const timeoutMs = 10_000
/** A host that fails so often in a row is not asked again, or its pictures would hold the import up for hours. */
const mostFailures = 3
/** Pictures that many pages show, such as a logo, are fetched once; memory holds so many of them. */
const storedBytes = 32 * 1024 * 1024

/** Reads pictures from their addresses for one import; throws `Refused` with why one was not fetched. */
export function createPictureFetcher(allowedHosts: readonly string[]) {
  const failures = new Map<string, number>()
  const stored = new Map<string, Promise<Buffer>>()
  let bytes = 0

  async function fetchPicture(address: string) {
    const { host } = new URL(address)
    const failed = failures.get(host) ?? 0
    if (failed >= mostFailures) throw new Refused(reasons.silent(host))
    try {
      const picture = await fetchOutside(address, { maxBytes, timeoutMs, allowedHosts })
      failures.delete(host)
      return picture
    } catch (error) {
      const isAnswer = error instanceof ForbiddenAddress || (error instanceof NotFetched && error.reason !== 'time')
      if (isAnswer) failures.delete(host)
      else failures.set(host, (failures.get(host) ?? 0) + 1)
      throw new Refused(explain(error), { cause: error })
    }
  }

  return {
    async read(address: string) {
      const known = stored.get(address)
      if (known) return known
      const fetched = fetchPicture(address)
      stored.set(address, fetched)
      try {
        const picture = await fetched
        bytes += picture.length
        if (bytes > storedBytes) {
          stored.clear()
          bytes = 0
        }
        return picture
      } catch (error) {
        stored.delete(address)
        throw error
      }
    },
  }
}

const reasons = {
  private: {
    fr: 'Image à une adresse privée ou non valide : elle n’est pas téléchargée.',
    en: 'Picture at a private or invalid address: it is not fetched.',
  },
  time: { fr: 'Image non reçue en 10 secondes.', en: 'Picture not received within 10 seconds.' },
  size: { fr: 'Image de plus de 8 Mo.', en: 'Picture over 8 MB.' },
  redirects: { fr: 'Image redirigée plus de 5 fois.', en: 'Picture redirected more than 5 times.' },
  unreachable: { fr: 'Le serveur de cette image ne répond pas.', en: 'The server of this picture does not respond.' },
  status: (status: number): Label => ({
    fr: `Le serveur de cette image a répondu ${status}.`,
    en: `The server of this picture responded with ${status}.`,
  }),
  silent: (host: string): Label => ({
    fr: `${host} n’a pas répondu ${mostFailures} fois de suite : ses autres images ne sont pas téléchargées. Importez de nouveau quand il répond.`,
    en: `${host} did not respond ${mostFailures} times in a row: its other pictures are not fetched. Import again once it responds.`,
  }),
}

function explain(error: unknown): Label {
  if (error instanceof ForbiddenAddress) return reasons.private
  if (!(error instanceof NotFetched)) return reasons.unreachable
  return error.reason === 'status' ? reasons.status(error.detail) : reasons[error.reason]
}
