// Writes the tables of the privacy impact assessment from what the features declare: `node scripts/privacy-assessment.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { fillAssessment } from '../src/app/privacy-assessment.ts'
import { serverFeatures } from '../src/app/server-features.ts'

const path = 'docs/privacy-assessment.md'
writeFileSync(path, fillAssessment(readFileSync(path, 'utf8'), serverFeatures))
process.exit(0)
