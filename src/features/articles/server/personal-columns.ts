import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { articleReads, articles, articleSlugs, articleVotes, glossaryTerms, searchMisses } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['visitors'],
    columns: [articleVotes.browser],
    purpose: 'Count one answer of each browser to “Did this article help you?”.',
    seenBy: [],
    protection: 'keyed hash',
  },
  {
    whose: ['visitors'],
    columns: [searchMisses.words],
    purpose:
      'Know what visitors search for and do not find: the words alone, without email addresses and long numbers, and with nothing about who searches.',
    seenBy: ['articles'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  {
    columns: [
      ...[articles.slug, articles.slugEn, articles.title, articles.titleEn, articles.body, articles.bodyEn],
      ...[articles.category, articles.keywords, articles.keywordsEn, articles.englishOlder, articles.reviewOn],
      ...[articleSlugs.slug, glossaryTerms.term, glossaryTerms.termEn],
    ],
    reason: 'texts that the company publishes',
  },
  { columns: [articleReads.day, searchMisses.language], reason: 'counts by day and language' },
]
