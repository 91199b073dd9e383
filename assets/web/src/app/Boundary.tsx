/** Catches what no screen expected, and offers a way on that loses nothing that was saved. */
import { Component, type ReactNode } from 'react';
import { Failure } from '@/ui/Failure';

export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => this.setState({ error: null })} />;
  }
}
