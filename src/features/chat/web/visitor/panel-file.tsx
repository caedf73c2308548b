import { useEffect, useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { DownloadIcon } from '#src/ui/icons.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { afterTexts } from '../../after-texts.ts'
import type { AttachedFile } from '../../values.ts'
import { fetchAttached, saveBlob } from './visitor-files.ts'

/** A file of the conversation: a picture shows itself, anything else is saved. */
export function PanelFile({ idChat, file }: { idChat: string; file: AttachedFile }) {
  const t = useTexts(afterTexts)
  const [picture, setPicture] = useState<string | null>(null)
  const [stage, setStage] = useState<'idle' | 'busy' | 'failed'>('idle')
  const { id_file: idFile, name, type, size } = file
  const isPicture = type.startsWith('image/')

  useEffect(() => {
    if (!isPicture) return
    let address: string | undefined
    let isGone = false
    fetchAttached(idChat, idFile).then(
      ({ blob }) => {
        if (isGone) return
        address = URL.createObjectURL(blob)
        setPicture(address)
      },
      () => !isGone && setStage('failed'),
    )
    return () => {
      isGone = true
      if (address) URL.revokeObjectURL(address)
    }
  }, [idChat, idFile, isPicture])

  const save = async () => {
    setStage('busy')
    try {
      saveBlob((await fetchAttached(idChat, idFile)).blob, name)
      setStage('idle')
    } catch {
      setStage('failed')
    }
  }

  return (
    <>
      {picture && <img src={picture} alt={t('picture', { name })} />}
      <Button variant="link" className="chat-retry" busy={stage === 'busy'} onClick={() => void save()}>
        <DownloadIcon />
        {t('open', { name })} ({t('size', { count: Math.max(1, Math.round(size / 1_024)) })})
      </Button>
      {stage === 'failed' && <p role="alert">{t('openFailed')}</p>}
    </>
  )
}
