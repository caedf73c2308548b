import type { ReactNode } from 'react'
import { Component, createRef } from 'react'

type State = { error?: unknown; times: number }

const maxTimes = 20
let times = 0

/**
 * Error boundary that renders its part again, with the typed values, after something else moved its DOM nodes (a browser's
 * translation, an extension). Other errors go to the parent boundary.
 */
export class RepairBoundary extends Component<{ children: ReactNode }, State> {
  static getDerivedStateFromError = (error: unknown): State => ({ error, times: ++times })
  override state: State = { times: 0 }
  place = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate() {
    return this.place.current
  }

  override componentDidUpdate(_: unknown, __: unknown, before: HTMLDivElement | null) {
    const after = this.place.current
    if (!before || !after || before === after) return
    console.warn(this.state.error)
    void import('./copy-typed-values.ts').then(({ copyTypedValues }) => copyTypedValues(before, after))
  }

  override render() {
    const { error, times } = this.state
    if (error && (!(error instanceof DOMException) || times > maxTimes)) throw error
    return (
      <div key={times} ref={this.place} className="contents">
        {this.props.children}
      </div>
    )
  }
}
