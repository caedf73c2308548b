// Writes the tables of the privacy impact assessment from what the features declare: `node scripts/privacy-assessment.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { serverFeatures } from '../src/app/server-features.ts'
import { withTables } from './privacy-tables.ts'

const file = 'docs/privacy-assessment.md'
writeFileSync(file, withTables(readFileSync(file, 'utf8'), serverFeatures))
