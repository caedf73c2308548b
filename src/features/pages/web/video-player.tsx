import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#src/ui/language.tsx'
import type { ShownVideo } from '../contract.ts'
import { telecomTexts } from '../telecom-texts.ts'

type VideoPlayerProps = { video: ShownVideo; title: string; poster: string }

/**
 * A still picture with a button: nothing of the video is asked for, here or elsewhere, before it is pressed.
 * The button is a link, so that the video opens without JavaScript too.
 */
export function VideoPlayer({ video, title, poster }: VideoPlayerProps) {
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
                <span>{t('playWord')}</span>
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
  // The button that had the focus is gone: what it started takes it.
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
