import { JsonLd } from '#src/ui/page/json-ld.tsx'
import { useOrigin } from '#src/ui/page/use-origin.ts'
import { pickText } from '#src/lib/language/language.ts'
import { useLanguage } from '#src/ui/language.tsx'
import type { PostedJob } from './job-data.ts'

const onServer = import.meta.env.SSR ? await import('./job-data.ts') : null

export function JobJsonLd({ job }: { job: PostedJob }) {
  const language = useLanguage()
  const origin = useOrigin()
  // Without these it is not a valid posting, and is better left unsaid.
  if (!pickText(language, job.titre, job.titre_en) || !pickText(language, job.description, job.description_en)) return null
  return (
    <JsonLd
      key={`${job.id_emploi} ${job.version}`}
      data={onServer?.describeJob(job, origin, language) ?? null}
      load={async () => (await import('./job-data.ts')).describeJob(job, origin, language)}
    />
  )
}
