import protobuf from 'protobufjs'
import { compress } from 'snappyjs'

const { root } = protobuf.parse(`
  syntax = "proto3";
  message ExportMetricsServiceRequest { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; string schema_url = 3; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; }
  message Scope { string name = 1; string version = 2; }
  message Metric { string name = 1; string description = 2; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Histogram { repeated HistogramDataPoint data_points = 1; }
  message HistogramDataPoint { fixed64 time_unix_nano = 3; fixed64 count = 4; }
  message NumberDataPoint {
    fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3;
    oneof value { double as_double = 4; sfixed64 as_int = 6; }
    repeated KeyValue attributes = 7; uint32 flags = 8;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message ExportMetricsServiceResponse { PartialSuccess partial_success = 1; }
  message PartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }

  message WriteRequest { repeated TimeSeries timeseries = 1; repeated MetricMetadata metadata = 3; }
  message TimeSeries {
    repeated Label labels = 1; repeated Sample samples = 2; repeated Exemplar exemplars = 3;
    repeated NativeHistogram histograms = 4;
  }
  message Exemplar { repeated Label labels = 1; double value = 2; int64 timestamp = 3; }
  message NativeHistogram { uint64 count_int = 1; double sum = 3; sint32 schema = 4; int64 timestamp = 15; }
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }
  message MetricMetadata { int32 type = 1; string metric_family_name = 2; string help = 4; }
`)

const { root: rootOfTwo } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
  message TimeSeries {
    repeated uint32 labels_refs = 1; repeated Sample samples = 2; repeated Histogram histograms = 3;
    repeated Exemplar exemplars = 4; Metadata metadata = 5; int64 created_timestamp = 6;
  }
  message Exemplar { repeated uint32 labels_refs = 1; double value = 2; int64 timestamp = 3; }
  message Sample { double value = 1; int64 timestamp = 2; int64 start_timestamp = 3; }
  message Metadata { int32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
  message Histogram { uint64 count_int = 1; double sum = 3; sint32 schema = 4; int64 timestamp = 15; }
`)

const encode = (name: string, message: object, of = root) => {
  const type = of.lookupType(name)
  return Buffer.from(type.encode(type.fromObject(message)).finish())
}

export interface OtlpMetric {
  name: string
  points: { at: number; startAt?: number; value: number; attributes?: Record<string, string> }[]
  sum?: 'cumulative' | 'delta'
}

const keyValues = (attributes: Record<string, string>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }))

/** As the JSON of OTLP, which protobufjs takes as well. */
export const otlpMessage = (
  metrics: readonly OtlpMetric[],
  resource: Record<string, string> = { 'host.name': 'web-1' },
) => ({
  resourceMetrics: [
    {
      resource: { attributes: keyValues(resource) },
      scopeMetrics: [
        {
          scope: { name: 'hostmetrics' },
          metrics: metrics.map(({ name, points, sum }) => {
            const dataPoints = points.map(({ at, startAt = at - 60_000, value, attributes = {} }) => ({
              startTimeUnixNano: `${startAt}000000`,
              timeUnixNano: `${at}000000`,
              asDouble: value,
              attributes: keyValues(attributes),
            }))
            return sum
              ? { name, sum: { dataPoints, aggregationTemporality: sum === 'delta' ? 1 : 2, isMonotonic: true } }
              : { name, gauge: { dataPoints } }
          }),
        },
      ],
    },
  ],
})

export const otlpBytes = (message: object) => encode('ExportMetricsServiceRequest', message)
export const readExported = (bytes: Buffer) =>
  root
    .lookupType('ExportMetricsServiceResponse')
    .toObject(root.lookupType('ExportMetricsServiceResponse').decode(bytes), { longs: Number })

export type Series = [name: string, labels: Record<string, string>, samples: [at: number, value: number][]]

export const writeRequest = (series: readonly Series[]) =>
  encode('WriteRequest', {
    timeseries: series.map(([name, labels, samples]) => ({
      labels: Object.entries({ __name__: name, instance: 'web-1:9100', job: 'node', ...labels }).map(
        ([key, value]) => ({ name: key, value }),
      ),
      samples: samples.map(([timestamp, value]) => ({ timestamp, value })),
    })),
    metadata: [{ type: 2, metricFamilyName: 'node_load1', help: '1m load average.' }],
  })

export const remoteWriteBytes = (series: readonly Series[]) => Buffer.from(compress(writeRequest(series)))

/** A series as either version has it. */
export interface WrittenSeries {
  labels: Record<string, string>
  samples?: [at: number, value: number][]
  histograms?: number[]
  exemplars?: number[]
}

const histogram = (timestamp: number) => ({ countInt: 3, sum: 2, schema: 1, timestamp })

/** A request of version 1.0 with what else it may hold. */
export const writeRequestOf = (series: readonly WrittenSeries[]) =>
  encode('WriteRequest', {
    timeseries: series.map(({ labels, samples = [], histograms = [], exemplars = [] }) => ({
      labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
      samples: samples.map(([timestamp, value]) => ({ timestamp, value })),
      histograms: histograms.map(histogram),
      exemplars: exemplars.map(timestamp => ({ labels: [{ name: 'trace_id', value: 'abc' }], value: 1, timestamp })),
    })),
  })

/** A request of version 2.0. `change`: makes it another message. */
export function writeRequestTwo(series: readonly WrittenSeries[], change: (message: Two) => object = same => same) {
  const symbols = ['']
  const refOf = (text: string) => (symbols.includes(text) ? symbols.indexOf(text) : symbols.push(text) - 1)
  const refsOf = (labels: Record<string, string>) =>
    Object.entries(labels).flatMap(([name, value]) => [refOf(name), refOf(value)])
  const timeseries = series.map(({ labels, samples = [], histograms = [], exemplars = [] }) => ({
    labelsRefs: refsOf(labels),
    samples: samples.map(([timestamp, value]) => ({ timestamp, value, startTimestamp: timestamp - 60_000 })),
    histograms: histograms.map(histogram),
    exemplars: exemplars.map(timestamp => ({ labelsRefs: refsOf({ trace_id: 'abc' }), value: 1, timestamp })),
    metadata: { type: 2, helpRef: refOf('What it is.\nIn "words".'), unitRef: refOf('bytes/s') },
    createdTimestamp: 1,
  }))
  return encode('Request', change({ symbols, timeseries }), rootOfTwo)
}
interface Two {
  symbols: string[]
  timeseries: { labelsRefs: number[] }[]
}

export const packed = (body: Buffer) => Buffer.from(compress(body))
