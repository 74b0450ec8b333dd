import { Histogram, type HistogramConfiguration } from 'prom-client'

/** Number of values in each bucket; the last count is of values beyond all bounds. */
export interface Counted {
  labels: Record<string, string>
  counts: readonly number[]
  sum: number
}

type Configuration = HistogramConfiguration<string> & { buckets: number[] }

/** A histogram whose counts are kept elsewhere and read when the metrics are scraped. */
export class CountedHistogram extends Histogram {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #read: () => Iterable<Counted>

  constructor(configuration: Configuration, read: () => Iterable<Counted>) {
    super(configuration)
    this.#name = configuration.name
    this.#help = configuration.help
    this.#bounds = configuration.buckets
    this.#read = read
  }

  /** The value that the registry prints and `get` returns. */
  async getForPromString() {
    const values = [...this.#read()].flatMap(counted => this.#valuesOf(counted))
    return { name: this.#name, help: this.#help, type: 'histogram', aggregator: 'sum', values }
  }

  #valuesOf({ labels, counts, sum }: Counted) {
    let total = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, index) => {
      total += counts[index] ?? 0
      return { metricName: `${this.#name}_bucket`, labels: { le }, sharedLabels: labels, value: total }
    })
    const whole = (part: string, value: number) => ({
      metricName: `${this.#name}_${part}`,
      labels: {},
      sharedLabels: labels,
      value,
    })
    return [...buckets, whole('sum', sum), whole('count', total)]
  }
}
