/** Reads a stream of server-sent events; `next` waits for a text that was not waited for before. */
export async function follow(address: string) {
  const aborted = new AbortController()
  const { body } = await fetch(address, { signal: aborted.signal })
  if (!body) throw new Error(`${address} answered nothing`)
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let unread = ''
  return {
    async next(text: string) {
      while (!unread.includes(text)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the stream ended before "${text}"`)
        unread += value
      }
      unread = unread.slice(unread.indexOf(text) + text.length)
    },
    close: () => aborted.abort(),
  }
}
