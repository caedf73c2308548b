// Separate process: decodes and encodes the pictures of people.
import { drawings } from './picture-drawing.ts'
import type { PictureAnswer, PictureTask } from './picture-process.ts'

process.on('message', ({ name, input }: PictureTask) => {
  const draw = drawings[name] as (...input: unknown[]) => Promise<unknown>
  draw(...input).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error: String(error) }),
  )
})
process.once('disconnect', () => process.exit())

const answer = (message: PictureAnswer) => process.send?.(message)
