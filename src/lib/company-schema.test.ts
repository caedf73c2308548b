import { describe, expect, test } from 'vitest'
import { homeTexts } from '#company/home.ts'
import { sharingTexts } from '#company/sharing.ts'
import { siteTexts } from '#company/site.ts'
import { companyHomeSchema, companySharingSchema, companySiteSchema } from './company-schema.ts'

describe.each([
  ['home.ts', companyHomeSchema, homeTexts],
  ['site.ts', companySiteSchema, siteTexts],
  ['sharing.ts', companySharingSchema, sharingTexts],
] as const)('the texts of company/%s', (_file, schema, texts) => {
  test('are complete', () => {
    expect(schema.safeParse(texts).error).toBeUndefined()
  })

  test.each(Object.keys(texts.en))('are rejected without %s in English, which is named', (key) => {
    const refused = schema.safeParse({ ...texts, en: { ...texts.en, [key]: '' } })
    expect(refused.error?.issues.map(({ path }) => path.join('.'))).toContain(`en.${key}`)
  })
})
