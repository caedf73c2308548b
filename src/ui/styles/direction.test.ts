import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const inStyle =
  /(?:^|[\s{;])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right)(?:-\w+)*:|(?:text-align|float|clear): (?:left|right)|border-(?:top|bottom)-(?:left|right)-radius/
const inClass =
  /["'`\s:]-?(?:(?:[mp][lr]|scroll-[mp][lr]|left|right)-[\w./[\]]+|(?:border-[lr]|rounded-(?:[lr]|[tb][lr]))(?:-\w+)?|(?:text|float)-(?:left|right))(?=["'`\s])/

/** Lines of these files that name a physical side. */
const sided = (files: string, pattern: RegExp) =>
  globSync(files).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line) && (files.endsWith('.css') || line.includes('className')))
      .map((line) => `${file}: ${line.trim()}`),
  )

test('styles and classes use logical directions, for right-to-left translations', () => {
  expect(sided('src/**/*.css', inStyle)).toEqual([])
  expect(sided('src/**/*.tsx', inClass)).toEqual([])
})

test('detects a style or class that names a side', () => {
  for (const line of ['    margin-left: 1rem;', 'a { right: 0; }', '  text-align: left;', '  border-left-color: red;'])
    expect(line).toMatch(inStyle)
  for (const line of ['className="-mr-3 flex"', "className={'pl-4'}", 'className="sm:left-auto"', 'className="x text-right"'])
    expect(line).toMatch(inClass)
})

test('the sheet of the administration is made from every folder: what it references leaves none out', () => {
  const admin = readFileSync('src/app/admin-shell/admin.css', 'utf8')
  const referenced = /@reference '(?:\.\.\/)+(ui\/[^']+)'/.exec(admin)?.[1]
  expect(referenced).toBeDefined()
  expect(readFileSync(`src/${referenced}`, 'utf8')).not.toContain('@source not')
})
