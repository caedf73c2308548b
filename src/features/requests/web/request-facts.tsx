import type { ReactNode } from 'react'
import { hasRight } from '#src/lib/rights.ts'
import { useProfile } from '#src/features/people/sign-in/web/session.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { adminRequestTexts } from '../admin-texts.ts'
import type { RequestDetail } from '../contract.ts'

/** Who wrote, how to reach them, when and from where. */
export function RequestFacts({ request }: { request: RequestDetail }) {
  const t = useTexts(adminRequestTexts)
  const language = useLanguage()
  const { rights } = useProfile()
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
      <Fact name={t('name')}>
        <bdi>{request.name}</bdi>
      </Fact>
      <Fact name={t('email')}>
        <a href={`mailto:${request.email}`} className="text-brand underline underline-offset-2">
          {request.email}
        </a>
      </Fact>
      {request.phone && (
        <Fact name={t('phone')}>
          <a href={`tel:${request.phone.replaceAll(/[^\d+]/g, '')}`} className="tabular text-brand underline underline-offset-2">
            {request.phone}
          </a>
        </Fact>
      )}
      <Fact name={t('kind')}>{t(request.kind)}</Fact>
      <Fact name={t('language')}>{t(request.language)}</Fact>
      {request.page && <Fact name={t('page')}>{request.page}</Fact>}
      <Fact name={t('received')}>
        <time dateTime={request.created_at}>{formatDateTime(request.created_at, language)}</time>
      </Fact>
      {request.id_chat !== null && (
        <Fact name={t('fromChat')}>
          {hasRight(rights, 'chat', 'read_only') ? (
            <Link to={`/admin/chat?chat=${request.id_chat}`} className="text-brand underline underline-offset-2">
              {t('chatNumber', { id: request.id_chat })}
            </Link>
          ) : (
            t('chatNumber', { id: request.id_chat })
          )}
        </Fact>
      )}
      {request.done_at && (
        <Fact name={t('doneAt')}>
          <time dateTime={request.done_at}>{formatDateTime(request.done_at, language)}</time>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </>
  )
}
