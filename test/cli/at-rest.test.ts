import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Runs a program beside `keepSmallAtRest`, and returns the numbers it prints. */
async function run(program: string): Promise<number[]> {
  const source = `import { keepSmallAtRest } from './cli/at-rest.ts'
    import { PerformanceObserver } from 'node:perf_hooks'
    import { setTimeout as sleep } from 'node:timers/promises'
    let full = 0
    new PerformanceObserver(list => {
      full += list.getEntries().filter(({ detail }) => detail.kind === 4).length > 0 ? 1 : 0
    }).observe({ entryTypes: ['gc'] })
    ${program}`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--no-memory-reducer',
    '--input-type=module',
    '--eval',
    source,
  ])
  return stdout.trim().split(/\s+/).map(Number)
}

test('a process at rest gives its freed memory back once, and again after it has grown', async () => {
  const [grown = 0, small = 0, first = 0, still = 0, again = 0] = await run(`
    const fill = () => Array.from({ length: 300_000 }, (_, i) => ({ i, text: 'n' + i }))
    let kept = fill()
    const grown = process.memoryUsage.rss()
    kept = undefined
    keepSmallAtRest({ everyMs: 50, samples: 2, busyFrom: 0.5, apartMs: 100, growth: 1.2 })
    await sleep(1_500)
    const [small, first] = [process.memoryUsage.rss(), full]
    await sleep(1_000)
    const still = full
    kept = fill()
    await sleep(1_500)
    console.log(grown, small, first, still, full)`)
  expect(grown - small).toBeGreaterThan(10_000_000)
  expect(first).toBeGreaterThan(0)
  expect(still).toBe(first)
  expect(again).toBeGreaterThan(still)
}, 30_000)

test('a busy process makes no collection of that kind', async () => {
  const [full] = await run(`
    keepSmallAtRest({ everyMs: 50, samples: 2, busyFrom: 0.1, apartMs: 100, growth: 1.2 })
    const until = performance.now() + 1_500
    while (performance.now() < until) {
      const pause = performance.now() + 20
      while (performance.now() < pause);
      await sleep(1)
    }
    console.log(full)`)
  expect(full).toBe(0)
}, 30_000)
