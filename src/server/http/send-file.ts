import send from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound, Problem } from '../problems.ts'

/** Streams one file of a folder, with HTTP ranges and conditional requests; 404 where there is none. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, folder: string, file: string, cacheControl: string) {
  const result = await send(request.raw, `/${encodeURIComponent(file)}`, {
    root: folder,
    index: false,
    dotfiles: 'deny',
    cacheControl: false,
  })
  if (result.type !== 'file') {
    result.stream.destroy()
    if (result.statusCode !== 416) throw new NotFound('There is no such file.')
    void reply.header('content-range', result.headers['Content-Range'])
    throw new Problem(416, 'Range not satisfiable', 'The file is shorter than that.')
  }
  void reply.code(result.statusCode).headers(result.headers).header('cache-control', cacheControl)
  return reply.send(result.stream)
}
