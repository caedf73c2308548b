import { isIPv6 } from 'node:net'
import proxyaddr from '@fastify/proxy-addr'
import type { Config } from '../config.ts'

/** The key of a client in counters: an IPv4 address, or the /64 of an IPv6 one, since its holder has all addresses of it. */
export function networkOf(address: string) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [bare = ''] = address.split('%', 1)
  if (!isIPv6(bare)) return address
  const [head = '', tail] = bare.split('::', 2)
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}

/** Whether an address is a trusted proxy, whose X-Forwarded-For is used. */
export function proxyTrust(setting: Config['trustProxy']): (address: string, hop: number) => boolean {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : proxyaddr.compile(setting)
}
