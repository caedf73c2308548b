// Writes the readable page of the security requirements from their data: `node scripts/asvs-page.ts`.
import { writeFileSync } from 'node:fs'
import { asvsPage, readAsvs } from './asvs.ts'

writeFileSync('docs/security/asvs.md', asvsPage(readAsvs()))
