import { lookup as lookUp } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { createConcurrencyLimit } from '#src/server/background/limited-worker.ts'

/*
 * Administrators choose what is monitored, in private networks too, but a target must not make the server call itself or the
 * metadata service of its host. The address is checked on the connection itself, after its name was resolved, so that a name
 * cannot resolve differently for the check.
 */

/** The target is, or resolves to, an address that is not monitored. */
export class ForbiddenTarget extends Error {}
/** The name of the target has no address. */
export class UnknownName extends Error {}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const forbidden = new BlockList()
// This host (Linux connects to the loopback), link-local, multicast, reserved, and the metadata services of cloud hosts.
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const)
  forbidden.addSubnet(address, bits, 'ipv4')
// Also IPv6 addresses that hold such an IPv4 address: translated (NAT64, 6to4), tunnelled (Teredo) or compatible.
for (const [address, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['64:ff9b::', 104],
  ['64:ff9b::7f00:0', 104],
  ['64:ff9b::a9fe:0', 112],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 24],
  ['2002:7f00::', 24],
  ['2002:a9fe::', 32],
] as const)
  forbidden.addSubnet(address, bits, 'ipv6')
const compatible = new BlockList()
compatible.addSubnet('::', 96, 'ipv6')

const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether the target itself names this machine: only then is the loopback allowed (RFC 6761 for the name). */
export function namesLoopback(host: string) {
  if (isIP(host) !== 0) return isIn(loopback, host)
  return /(^|\.)localhost\.?$/i.test(host)
}

/** Throws `ForbiddenTarget` where a connection to this address is not made. */
export function checkAddress(address: string, host: string) {
  if (isIn(loopback, address)) {
    if (namesLoopback(host)) return
    throw new ForbiddenTarget(address)
  }
  const isCompatible = isIP(address) === 6 && isIn(compatible, address)
  if (isIP(address) === 0 || isCompatible || isIn(forbidden, address)) throw new ForbiddenTarget(address)
}

type Callback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** `servers`: name servers instead of those of the system. */
export type ResolverOptions = { servers?: readonly string[] }

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/** Resolves names without the thread pool: a slow name server must not hold up files, or the other checks. */
export function createTargetResolver({ servers }: ResolverOptions = {}) {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  // `getaddrinfo` also knows the hosts file and search domains; it uses the thread pool, so one name at a time.
  const one = createConcurrencyLimit(1)
  const readSystem = (host: string) =>
    one(
      () =>
        new Promise<string[]>((resolve, reject) => {
          lookUp(host, { all: true }, (error, found) =>
            error ? reject(new UnknownName(host)) : resolve(found.map(({ address }) => address)),
          )
        }),
    )

  async function query(host: string): Promise<string[]> {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }

  /** The addresses of a host; throws `UnknownName`, or `ForbiddenTarget` where any of them is not monitored. */
  async function resolve(host: string): Promise<string[]> {
    if (isIP(host) !== 0) {
      checkAddress(host, host)
      return [host]
    }
    if (namesLoopback(host)) return ['127.0.0.1', '::1']
    const found = await query(host)
    const addresses = found.length > 0 ? found : await readSystem(host)
    for (const address of addresses) checkAddress(address, host)
    return addresses
  }

  return {
    query,
    resolve,
    /** For `connect` and `request`. An address that is written as such is not resolved: check it with `resolve` first. */
    lookup(host: string, options: LookupOptions, callback: Callback) {
      resolve(host).then(
        (addresses) => {
          const all = addresses.map((address) => ({ address, family: isIP(address) }))
          const [first] = all
          if (!first) return callback(new UnknownName(host), '')
          if (options.all) return callback(null, all)
          return callback(null, first.address, first.family)
        },
        (error: unknown) => callback(asError(error), ''),
      )
    },
  }
}

export type TargetResolver = ReturnType<typeof createTargetResolver>

/** `host:port`, with an IPv6 address in brackets; null where it is not. */
export function readHostAndPort(target: string) {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/i.exec(target) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (!host || port < 1 || port > 65_535 || (bracketed && isIP(bracketed) !== 6)) return null
  return { host, port }
}
