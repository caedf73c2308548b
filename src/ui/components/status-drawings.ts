/** Paths of the status icons on a 24-unit grid: a check, a triangle and a cross, so that status never depends on colour alone. */
export const statusDrawings = {
  OK: { shape: 'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19z', mark: 'm7.8 12.4 2.9 2.9 5.6-6.2', colour: 'text-ok' },
  WARNING: { shape: 'M12 3 22 20.5H2z', mark: 'M12 9.2v5.2m0 3.1v.1', colour: 'text-warn' },
  ERROR: { shape: 'M5 3.5h14L20.5 5v14L19 20.5H5L3.5 19V5z', mark: 'm8.5 8.5 7 7m0-7-7 7', colour: 'text-err' },
} as const
