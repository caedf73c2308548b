import './order.css'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi, getJson } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { Dialog } from '#src/ui/components/dialog.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { ChevronIcon, MenuIcon } from '#src/ui/components/icons.tsx'
import { Toast } from '#src/ui/components/toast.tsx'
import { useAction } from '#src/ui/components/use-action.ts'
import { useTexts } from '#src/ui/language.tsx'
import type { EntryOrder } from '../contract.ts'
import { moveTo, placeAt, placeOfKey } from '../moves.ts'
import { orderTexts } from '../texts.ts'

export type OrderedEntry = { id: number; name: string }

/** The button that opens the order of a list of the site, and its dialog; `entries` are in the current order. */
export function OrderButton({ path, entries }: { path: string; entries: readonly OrderedEntry[] }) {
  const t = useTexts(orderTexts)
  const { revalidate } = useRevalidator()
  const { busy, run, toast } = useAction()
  const [shown, setShown] = useState<{ entries: readonly OrderedEntry[]; before: EntryOrder } | null>(null)

  const handleOpen = () =>
    run(async () => setShown({ entries, before: await getJson<EntryOrder>(path) }), { failed: t('failed') })

  const put = async (order: Pick<EntryOrder, 'version' | 'id_ordre'>) => {
    const saved = await callApi<EntryOrder>('PUT', path, order)
    await revalidate()
    return saved
  }
  const handleSave = async (ids: number[]) => {
    if (!shown) return
    const { version, id_ordre } = shown.before
    setShown(null)
    const undo = () => run(() => put({ version: version + 1, id_ordre }), { done: t('undone'), failed: t('failed') })
    const action = (
      <Button variant="link" onClick={() => void undo()}>
        {t('undo')}
      </Button>
    )
    await run(() => put({ version, id_ordre: ids }), { done: t('saved'), action, failed: t('failed') })
  }
  return (
    <>
      <Button variant="secondary" busy={busy} onClick={() => void handleOpen()}>
        {t('arrange')}
      </Button>
      <OrderDialog
        entries={shown?.entries ?? null}
        isUsual={shown?.before.id_ordre.length === 0}
        onClose={() => setShown(null)}
        onSave={(ids) => void handleSave(ids)}
      />
      <Toast {...toast} />
    </>
  )
}

type OrderDialogProps = {
  /** Null while closed. */
  entries: readonly OrderedEntry[] | null
  isUsual: boolean
  onClose: () => void
  /** Without ids: the usual order. */
  onSave: (ids: number[]) => void
}

function OrderDialog({ entries, isUsual, onClose, onSave }: OrderDialogProps) {
  const t = useTexts(orderTexts)
  const [order, setOrder] = useState<readonly OrderedEntry[]>([])
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    if (!entries) return
    setOrder(entries)
    setAnnounced('')
  }, [entries])
  const handleMove = (from: number, to: number) => {
    const entry = order[from]
    if (!entry || from === to || to < 0 || to >= order.length) return
    setOrder(moveTo(order, from, to))
    setAnnounced(t('moved', { name: entry.name, place: to + 1, count: order.length }))
  }
  return (
    <Dialog
      open={entries !== null}
      onClose={onClose}
      wide
      title={t('title')}
      actions={
        <>
          {!isUsual && (
            <Button variant="quiet" onClick={() => onSave([])}>
              {t('usual')}
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button onClick={() => onSave(order.map(({ id }) => id))}>{t('save')}</Button>
        </>
      }
    >
      <p className="mb-4 text-ink-2">{t('hint')}</p>
      <OrderList order={order} onMove={handleMove} />
      <p role="status" className="sr-only">
        {announced}
      </p>
    </Dialog>
  )
}

type OrderListProps = { order: readonly OrderedEntry[]; onMove: (from: number, to: number) => void }

function OrderList({ order, onMove }: OrderListProps) {
  const t = useTexts(orderTexts)
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const count = order.length

  const handleKey = (event: KeyboardEvent, place: number) => {
    const to = placeOfKey(event.key, place, count)
    if (to === null) return
    event.preventDefault()
    onMove(place, to)
    event.currentTarget.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  const handlePointer = (event: PointerEvent) => {
    if (dragged === null || !list.current) return
    const from = order.findIndex((one) => one.id === dragged)
    const rows = [...list.current.children]
    const others = rows.filter((_row, index) => index !== from).map((row) => row.getBoundingClientRect())
    onMove(
      from,
      placeAt(
        event.clientY,
        others.map(({ top, height }) => top + height / 2),
      ),
    )
    scrollNear(list.current, event.clientY)
  }
  return (
    <ol ref={list} className="order-list" onPointerMove={handlePointer} onLostPointerCapture={() => setDragged(null)}>
      {order.map(({ id, name }, place) => (
        <li key={id} data-dragged={dragged === id || undefined}>
          <button
            type="button"
            className="order-handle"
            aria-label={t('handle', { name, place: place + 1, count })}
            onKeyDown={(event) => handleKey(event, place)}
            onPointerDown={(event) => {
              if (event.button !== 0) return
              // The row leaves the page for a moment where it moves: the list keeps the pointer.
              list.current?.setPointerCapture(event.pointerId)
              setDragged(id)
            }}
          >
            <MenuIcon />
          </button>
          <span className="tabular text-ink-2">{place + 1}</span>
          <span className="min-w-0 grow font-bold wrap-anywhere">{name}</span>
          <IconButton
            label={t('up', { name })}
            icon={<ChevronIcon className="rotate-180" />}
            aria-disabled={place === 0}
            onClick={() => onMove(place, place - 1)}
          />
          <IconButton
            label={t('down', { name })}
            icon={<ChevronIcon />}
            aria-disabled={place === count - 1}
            onClick={() => onMove(place, place + 1)}
          />
        </li>
      ))}
    </ol>
  )
}

const edge = 48

/** The list goes on below what is visible of it. */
function scrollNear(list: HTMLElement, y: number) {
  const body = list.closest('.dialog-body')
  if (!body) return
  const { top, bottom } = body.getBoundingClientRect()
  if (y < top + edge) body.scrollBy(0, y - top - edge)
  if (y > bottom - edge) body.scrollBy(0, y - bottom + edge)
}
