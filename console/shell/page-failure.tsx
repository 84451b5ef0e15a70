/** Catches what a page throws, so that the rest of the console stays usable. */
import { Component, type ReactNode } from 'react'
import { Problem } from '../parts/states.tsx'

type State = { error: unknown }

export class PageFailure extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Problem error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}
