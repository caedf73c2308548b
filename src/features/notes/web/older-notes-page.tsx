import { getPage } from '#src/ui/get-page.ts'
import { Pagination } from '#src/ui/components/pagination.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { PageHead } from '#src/ui/page/page-head.tsx'
import { languageOf, pageTags } from '#src/ui/page/page-meta.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Note } from '../contract.ts'
import { notesPageSize, olderNotesPath } from '../values.ts'
import type { Route } from './+types/older-notes-page.ts'
import { NotesList, olderNotesTexts as texts } from './notes-list.tsx'

/** Anything but a number from 1 to a billion is the first page. */
function readPage(request: Request) {
  const page = new URL(request.url).searchParams.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const page = readPage(request)
  return { page, ...(await context.get(pageContext).services.notes.findOlder(page)) }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const page = readPage(request)
  const { rows, total } = await getPage(`/api/notes/notes?page=${page}`)
  return { page, notes: rows as Note[], total }
}

export const shouldRevalidate = revalidateOn('notes')

export function meta({ matches }: Route.MetaArgs) {
  const t = translator(texts, languageOf(matches))
  return pageTags(matches, t('title'), t('description'), olderNotesPath)
}

export default function OlderNotesPage({ loaderData: { page, notes, total } }: Route.ComponentProps) {
  const t = useTexts(texts)
  return (
    <div className="wrap">
      <PageHead
        title={t('title')}
        trail={[
          { name: t('network'), path: '/reseau' },
          { name: t('title'), path: olderNotesPath },
        ]}
        {...(notes.length === 0 && { lead: t('empty') })}
      />
      <NotesList notes={notes} title={t('title')} />
      <div className="mt-8">
        <Pagination page={page} count={Math.ceil(total / notesPageSize)} to={(next) => `${olderNotesPath}?page=${next}`} />
      </div>
    </div>
  )
}
