import type { TracingConfig, TracingDeps } from './opentelemetry.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** Spans of this process, sent to the receiver that the operator named; none is recorded without one. */
export async function openTracing(config: TracingConfig | undefined, deps: TracingDeps): Promise<Tracing> {
  if (!config) return noTracing
  const { OpenTelemetry } = await import('./opentelemetry.ts')
  return new OpenTelemetry(config, deps)
}
