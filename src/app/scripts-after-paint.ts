import { Transform } from 'node:stream'
import { chatIdStorageKey, resumeStorageKey } from '#src/features/chat/keys.ts'
import { networkViewKey } from '#src/features/networks/values.ts'
import { beaconPath } from '#src/features/visits/values.ts'
import { campaignMax, unwantedInCampaign } from '#src/lib/visit-source.ts'
import { languageStorageKey } from '#src/lib/language/language.ts'
import type { ReadingPage } from './before-hydration.ts'
import { queueChatTaps, reportVisits, waitUntilUsed } from './before-hydration.ts'

const opening = 'type="module" async="">'
const closing = '</script>'

/**
 * Makes a page load its scripts after the first paint, for which the router has no option: it is complete without them, and on
 * a slow network they would delay its style sheet, picture and fonts.
 */
export function scriptsAfterPaint(reading?: Omit<ReadingPage, 'keys'>) {
  let held: Buffer[] | null = []
  let mark = opening
  let overlap = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held === null) return done(null, chunk)
      held.push(chunk)
      // Only searches the new chunk and the end of the previous one: a long page has thousands of chunks.
      let unread = Buffer.concat([overlap, chunk])
      let at = unread.indexOf(mark)
      if (at !== -1 && mark === opening) {
        unread = unread.subarray(at)
        mark = closing
        at = unread.indexOf(mark)
      }
      overlap = Buffer.from(unread.subarray(Math.max(0, unread.length - mark.length + 1)))
      if (at === -1) return done()
      const begun = Buffer.concat(held)
      const end = begun.indexOf(closing, begun.indexOf(opening))
      for (const part of fetchLater(begun.subarray(0, end), reading)) this.push(part)
      this.push(begun.subarray(end))
      held = null
      done()
    },
    flush(done) {
      done(null, held && Buffer.concat(held))
    },
  })
}

const visitArguments = [beaconPath, 'visit_source', unwantedInCampaign.source, campaignMax]
  .map((one) => JSON.stringify(one))
  .join(', ')
const storageKeys = { view: networkViewKey, language: languageStorageKey, chat: chatIdStorageKey, resume: resumeStorageKey }

/**
 * Rewrites the page up to the end of the router's script: the imports run after the first frame, or at once where none is drawn
 * (background tab, hidden frame). Files are evaluated one by one, the entry last: all at once would block the main thread of a
 * phone.
 */
function fetchLater(page: Buffer, reading?: Omit<ReadingPage, 'keys'>) {
  const start = page.lastIndexOf(opening) + opening.length
  const { parts, files } = withoutPreloads(page.subarray(0, start))
  const names: string[] = []
  const imports: string[] = []
  const script = page.subarray(start).toString()
  const rest = script.replaceAll(/import \* as (\w+) from ("[^"]+");/g, (_, name: string, file: string) => {
    names.push(name)
    imports.push(`import(${file})`)
    return ''
  })
  const entry = /import\("([^"]+)"\);?\s*$/.exec(rest)?.[1]
  const before = files.filter((file) => file !== entry)
  const ordered = entry === undefined ? before : [...before, entry]
  const loader = `
(${queueChatTaps.toString()})();
(${reportVisits.toString()})(${visitArguments});
const files = ${JSON.stringify(ordered)};
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(painted, document.hidden ? 0 : 2000);
});
${reading ? `await (${waitUntilUsed.toString()})(${JSON.stringify({ ...reading, keys: storageKeys })}, (file) => import(file));` : ''}
const rest = () => globalThis.scheduler?.yield?.() ?? new Promise((next) => setTimeout(next));
for (const href of files) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  await rest();
}
for (const href of files.slice(0, ${before.length})) {
  await import(href);
  await rest();
}
const [${names.join(', ')}] = await Promise.all([${imports.join(', ')}]);
${rest.trim()}`
  return [...parts, Buffer.from(loader)]
}

const preload = '<link rel="modulepreload" '

/** Cuts the tags out of the bytes: to read and write a long page as a text would hold up others. */
function withoutPreloads(page: Buffer) {
  const parts: Buffer[] = []
  const files: string[] = []
  let from = 0
  for (let at = page.indexOf(preload); at !== -1; at = page.indexOf(preload, from)) {
    const end = page.indexOf('/>', at)
    if (end === -1) break
    parts.push(page.subarray(from, at))
    from = end + 2
    const file = /href="([^"]+)"/.exec(page.toString('utf8', at, from))?.[1]
    if (file !== undefined) files.push(file)
  }
  return { parts: [...parts, page.subarray(from)], files }
}
