import { useNavigate } from 'react-router'
import { ButtonLink } from '../components/button.tsx'
import { useTexts } from '../language.tsx'
import { texts } from './site-texts.ts'
import lostScene from '../illustrations/lost.svg'

export function NotFoundView() {
  const t = useTexts(texts)
  const navigate = useNavigate()
  return (
    <div className="wrap grid items-center gap-10 py-16 md:grid-cols-2">
      <div className="grid justify-items-start gap-6">
        <h1>{t('notFoundTitle')}</h1>
        <p className="max-w-prose text-lg text-ink-2">{t('notFoundMessage')}</p>
        <ButtonLink
          to="/"
          onClick={(event) => {
            // One history step back, where there is one.
            if (!hasHistory()) return
            event.preventDefault()
            void navigate(-1)
          }}
        >
          {t('notFoundBack')}
        </ButtonLink>
      </div>
      <img src={lostScene} width="640" height="480" alt={t('notFoundScene')} className="scene" />
    </div>
  )
}

/** True where the previous history entry is a page of this site. */
function hasHistory() {
  const state = window.history.state as { idx?: unknown } | null
  const cameByClick = typeof state?.idx === 'number' && state.idx > 0
  return cameByClick || (window.history.length > 1 && document.referrer.startsWith(`${location.origin}/`))
}
