import { z } from 'zod'
import { serverLimits } from '#contract/server-agent.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { readRemoteWrite } from './remote-write.ts'
import { asBadRequest, take } from './take.ts'
import { unpack } from './unpack.ts'

export const takeRemoteWrite = endpoint({
  method: 'POST',
  path: '/agent-monitors/prometheus/api/v1/write',
  root: true,
  operation: 'agentMonitors.reportPrometheus',
  summary: 'Report server metrics by Prometheus remote write',
  description:
    'For Prometheus, or its agent, that scrapes one node_exporter: remote write 1.0, protobuf packed by snappy. ' +
    'Unknown series are left out. The token is for one server: keep one `instance` by `write_relabel_configs`. A ' +
    'request has at most 20,000 samples; each started half megabyte, unpacked, counts as a request.',
  access: 'server-agent',
  accepts: {
    types: { 'application/x-protobuf': z.string().meta({ format: 'binary' }) },
    limit: serverLimits.batchBytes,
  },
  returns: noContent,
  detached: true,

  async handle(context) {
    const report = await inSlices(readRemoteWrite(await unpack(context, ['snappy'])))
    await asBadRequest(take(context, report))
  },
})
