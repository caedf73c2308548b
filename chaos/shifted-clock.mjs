// Preloaded into the product (node --import): starts its clock at the time in a file.
import { readFileSync } from 'node:fs'

const RealDate = Date
let shift = 0
setInterval(() => {
  shift = Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) || 0
}, 20).unref()

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shift)
    else super(...parts)
  }

  static now() {
    return RealDate.now() + shift
  }
}
