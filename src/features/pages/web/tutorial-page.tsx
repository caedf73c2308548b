import { company } from '#company/company.ts'
import { locales } from '#src/lib/language/language.ts'
import { getJson } from '#src/ui/api.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { ShownTutorial, TutorialName, ShownVideo } from '../contract.ts'
import { telecomTexts, TutorialTiles } from './tutorial-tiles.tsx'
import scene from '#src/ui/illustrations/counter.svg'
import { revalidateOn } from '#src/ui/live/live-areas.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { inOwnLanguages } from '#src/ui/page/own-languages.ts'
import { JsonLd } from '#src/ui/page/json-ld.tsx'
import { useOrigin } from '#src/ui/page/public-context.ts'
import { pageTags } from '#src/ui/page/page-meta.ts'
import type { Route } from './+types/tutorial-page.ts'
import { Breadcrumbs } from '#src/ui/page/page-head.tsx'
import { TextBody, TableOfContents } from './text-body.tsx'
import { fetchText, findText } from './text-loader.ts'
import { useEffect, useRef, useState } from 'react'

export async function loader(args: Route.LoaderArgs) {
  return {
    text: await findText(nameOf(args.request), args),
    tutorials: args.context.get(pageContext).services.site.findTutorials(),
  }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const [text, tutorials] = await Promise.all([
    fetchText(nameOf(request), { request }),
    getJson<ShownTutorial[]>('/api/site/tutorials'),
  ])
  return { text, tutorials }
}

export const shouldRevalidate = revalidateOn('company')

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const path = `/telecom/${loaderData.text.name}`
  return inOwnLanguages(pageTags(matches, loaderData.text.title, loaderData.text.description, path), path, null)
}

/** The four tutorials, in French only; the English site mentions it and offers an alternative. */
export default function TutorialPage({ loaderData: { text, tutorials } }: Route.ComponentProps) {
  const t = useTexts(telecomTexts)
  const language = useLanguage()
  const origin = useOrigin()
  const french = language === 'fr' ? undefined : locales.fr
  const tutorial = tutorials.find(({ name }) => name === text.name)
  const video = tutorial?.video
  return (
    <div className="wrap">
      <div className="grid gap-5 pt-8 pb-10 md:pt-10">
        <Breadcrumbs
          trail={[
            { name: t('support'), path: '/support' },
            { name: t('documentation'), path: '/telecom/docs' },
            { name: tutorial?.title[language] ?? text.title, path: `/telecom/${text.name}` },
          ]}
        />
        {french && (
          <div role="note" className="grid max-w-prose gap-1 rounded-card bg-brand-soft px-6 py-4">
            <p className="font-bold">{t('frenchOnlyTitle')}</p>
            <p>
              {t('frenchOnly', {
                phone: company.phones.tollFree.display.replaceAll(' ', '\u00a0'),
                email: company.emails.telecom,
              })}
            </p>
          </div>
        )}
        <h1 lang={french}>{text.title}</h1>
        <p lang={french} className="max-w-prose text-lg text-ink-2">
          {text.lead}
        </p>
      </div>
      <div className="grid gap-x-16 lg:grid-cols-[1fr_17rem]">
        <div className="grid gap-12">
          {video ? (
            <>
              <VideoPlayer key={text.name} video={video} title={text.title} poster={scene} />
              {video.kind === 'file' && (
                <JsonLd
                  key={video.src}
                  data={onServer?.describeVideo(video, text, origin, scene) ?? null}
                  load={async () => (await import('./video-structured-data.ts')).describeVideo(video, text, origin, scene)}
                />
              )}
            </>
          ) : (
            <div className="rounded-card border-2 border-dashed border-line px-6 py-8">
              <p className="font-bold">{t('missingTitle')}</p>
              <p className="text-ink-2">{t('missing')}</p>
            </div>
          )}
          <TextBody text={text} />
        </div>
        <div className="hidden lg:block">
          <TableOfContents sections={text.sections} lang={french} className="sticky top-8" />
        </div>
      </div>
      <section className="mt-16 grid gap-6">
        <h2>{t('otherTutorials')}</h2>
        <TutorialTiles tutorials={tutorials.filter((one) => one !== tutorial)} />
      </section>
    </div>
  )
}

const onServer = import.meta.env.SSR ? await import('./video-structured-data.ts') : null

/** The four addresses end with the name of their text. */
function nameOf(request: Request) {
  return new URL(request.url).pathname.replace(/\/$/, '').split('/').at(-1) as TutorialName
}

type VideoPlayerProps = { video: ShownVideo; title: string; poster: string }

/**
 * A still picture with a button: no video is requested before it is pressed. The button is a link, so that the video opens
 * without JavaScript too.
 */
function VideoPlayer({ video, title, poster }: VideoPlayerProps) {
  const t = useTexts(telecomTexts)
  const [isPlaying, setPlaying] = useState(false)
  const address = video.kind === 'file' ? video.src : video.url
  return (
    <figure className="grid gap-2">
      <div className="relative aspect-video overflow-hidden rounded-scene border border-line">
        {isPlaying ? (
          <Player video={video} title={t('videoOf', { title })} />
        ) : (
          <a
            href={address}
            aria-label={t('play', { title })}
            className="group absolute inset-0 block"
            onClick={(event) => {
              event.preventDefault()
              setPlaying(true)
            }}
          >
            <img src={video.poster ?? poster} alt="" width="1280" height="720" className="h-full w-full object-cover" />
            <span className="absolute inset-0 flex items-end justify-end p-6 sm:p-10">
              <span className="button bg-lamp text-on-lamp group-hover:bg-surface group-hover:text-ink">
                <svg viewBox="0 0 24 24" width="22" height="22" fill="currentColor" aria-hidden="true">
                  <path d="M7 4.5v15l12.5-7.5z" />
                </svg>
                <span>{t('playLabel')}</span>
              </span>
            </span>
          </a>
        )}
      </div>
      {video.kind === 'embed' && (
        <figcaption className="text-sm text-ink-2">{t('elsewhere', { host: new URL(video.url).host })}</figcaption>
      )}
    </figure>
  )
}

function Player({ video, title }: { video: ShownVideo; title: string }) {
  const t = useTexts(telecomTexts)
  const frame = useRef<HTMLVideoElement & HTMLIFrameElement>(null)
  // The focused button was replaced, so the player takes the focus.
  useEffect(() => frame.current?.focus(), [])

  if (video.kind === 'embed') {
    return (
      // oxlint-disable-next-line react/iframe-missing-sandbox -- another site's player, which a sandbox breaks and the policy's frame-src names
      <iframe
        ref={frame}
        src={video.url}
        title={title}
        allow="fullscreen; autoplay; encrypted-media"
        allowFullScreen
        className="absolute inset-0 h-full w-full"
      />
    )
  }
  return (
    <video
      ref={frame}
      controls
      autoPlay
      tabIndex={0}
      aria-label={title}
      poster={video.poster ?? undefined}
      className="absolute inset-0 h-full w-full"
    >
      <source src={video.src} type={video.type} />
      <track kind="captions" src={video.captions ?? undefined} srcLang="fr" label={t('captions')} default />
    </video>
  )
}
