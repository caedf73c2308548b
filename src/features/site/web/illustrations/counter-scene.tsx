type CounterSceneProps = { title: string; lit: boolean }

export function CounterScene({ title, lit }: CounterSceneProps) {
  return (
    <svg viewBox="0 0 640 600" className="scene" role="img" aria-label={title}>
      <rect width="640" height="600" className={lit ? 'fill-brand-soft' : 'fill-line'} />
    </svg>
  )
}
