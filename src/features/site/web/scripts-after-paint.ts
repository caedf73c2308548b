import { Transform } from 'node:stream'

const opening = 'type="module" async="">'
const closing = '</script>'

/**
 * Has a page fetch its scripts once it is painted, for which the router has no setting: it is whole without them, and on a
 * slow line they would keep its style sheet, its picture and its letters waiting.
 */
export function scriptsAfterPaint() {
  let begun: Buffer | null = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (begun === null) return done(null, chunk)
      begun = Buffer.concat([begun, chunk])
      const start = begun.indexOf(opening)
      const end = start === -1 ? -1 : begun.indexOf(closing, start)
      if (end === -1) return done()
      this.push(fetchLater(begun.subarray(0, end).toString()))
      this.push(begun.subarray(end))
      begun = null
      done()
    },
    flush(done) {
      done(null, begun)
    },
  })
}

/**
 * Of the page down to the end of the router's script: the script's imports are made when the first frame is drawn,
 * and do not wait for one where none may come (a tab in the background, a frame that is not shown). One file is run at a
 * time, the entry last, and each is asked for by itself: all in one go, a telephone answers nobody meanwhile.
 */
function fetchLater(html: string) {
  const files: string[] = []
  const page = html.replaceAll(/<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g, (_, file: string) => {
    files.push(file)
    return ''
  })
  const start = page.lastIndexOf(opening) + opening.length
  const names: string[] = []
  const imports: string[] = []
  const rest = page.slice(start).replaceAll(/import \* as (\w+) from ("[^"]+");/g, (_, name: string, file: string) => {
    names.push(name)
    imports.push(`import(${file})`)
    return ''
  })
  const entry = /import\("([^"]+)"\);?\s*$/.exec(rest)?.[1]
  const before = files.filter((file) => file !== entry)
  const ordered = entry === undefined ? before : [...before, entry]
  return `${page.slice(0, start)}
const files = ${JSON.stringify(ordered)};
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(painted, document.hidden ? 0 : 2000);
});
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
}
