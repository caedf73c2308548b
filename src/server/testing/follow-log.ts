import { symbols } from 'pino'
import { logger } from '../log.ts'

type Line = Record<string, unknown>

/** Captures the log of the process from now on; `stop` restores it. Call it before the product starts. */
export function followLog(level = 'info') {
  const inner = logger as unknown as Record<symbol, unknown>
  const [stream, former] = [inner[symbols.streamSym], logger.level]
  const written: string[] = []
  inner[symbols.streamSym] = { write: (line: string) => written.push(line) }
  logger.level = level
  return {
    written,
    lines: () => written.map((line) => JSON.parse(line) as Line),
    stop() {
      inner[symbols.streamSym] = stream
      logger.level = former
    },
  }
}
