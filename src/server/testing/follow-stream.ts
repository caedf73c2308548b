/** Reads a stream of server-sent events. */
export async function followStream(address: string, headers: Record<string, string> = {}) {
  const aborted = new AbortController()
  const { body } = await fetch(address, { signal: aborted.signal, headers })
  if (!body) throw new Error(`${address} answered nothing`)
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  let looked = 0
  return {
    /** Waits for a text after the previous one; returns everything received so far. */
    async next(wanted: string) {
      while (!received.includes(wanted, looked)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the stream ended before "${wanted}"`)
        received += value
      }
      looked = received.indexOf(wanted, looked) + wanted.length
      return received
    },
    close: () => aborted.abort(),
  }
}
