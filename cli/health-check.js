// The health check of the images: whether the process answers. It does not ask whether stores are reached, because a
// restart would not bring them back. Plain JavaScript without a package, as the image of the agent holds nothing else.
const { METRICS_PORT = '9464', METRICS_HOST = '127.0.0.1', PORT = '8080' } = process.env
const host = ['', '0.0.0.0', '::'].includes(METRICS_HOST) ? '127.0.0.1' : METRICS_HOST

const answers = async port => {
  try {
    return (await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(2_500) })).ok
  } catch {
    return false
  }
}

// a process that serves pages alone has no port of metrics
process.exit((await answers(METRICS_PORT)) || (await answers(PORT)) ? 0 : 1)
