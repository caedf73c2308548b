import { useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { departmentTexts, texts } from '../texts.ts'
import type { TeamTile } from '../values.ts'
import { teamTiles } from '../values.ts'

/** All and the seven departments: links, so that they work without JavaScript and can be shared. */
export function TeamTiles({ current }: { current: TeamTile | null }) {
  const t = useTexts(texts)
  const d = useTexts(departmentTexts)
  const labelOf = (tile: TeamTile) => (tile === 'SERVICE À LA CLIENTÈLE' ? t('customerServiceTile') : d(tile))
  return (
    <nav aria-label={t('filter')} className="mb-10">
      <ul className="team-tiles">
        <Tile to="/team" isCurrent={current === null}>
          {t('all')}
        </Tile>
        {teamTiles.map((tile) => (
          <Tile key={tile} to={`/team?departement=${encodeURIComponent(tile)}`} isCurrent={current === tile}>
            {labelOf(tile)}
          </Tile>
        ))}
      </ul>
    </nav>
  )
}

function Tile({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: string }) {
  return (
    <li>
      <Link to={to} preventScrollReset className="team-tile" aria-current={isCurrent ? 'true' : undefined}>
        {children}
      </Link>
    </li>
  )
}
