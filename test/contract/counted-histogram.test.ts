import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { CountedHistogram } from '#contract/counted-histogram.ts'

test('a histogram with external counts is printed like any other', async () => {
  const register = new Registry()
  const counted = [{ labels: { region: 'eu' }, counts: [3, 0, 2, 1], sum: 7.5 }]
  const histogram = new CountedHistogram(
    { name: 'delay_seconds', help: 'Delay', labelNames: ['region'], buckets: [0.1, 1, 10], registers: [register] },
    () => counted,
  )
  expect((await register.metrics()).trim().split('\n')).toEqual([
    '# HELP delay_seconds Delay',
    '# TYPE delay_seconds histogram',
    'delay_seconds_bucket{le="0.1",region="eu"} 3',
    'delay_seconds_bucket{le="1",region="eu"} 3',
    'delay_seconds_bucket{le="10",region="eu"} 5',
    'delay_seconds_bucket{le="+Inf",region="eu"} 6',
    'delay_seconds_sum{region="eu"} 7.5',
    'delay_seconds_count{region="eu"} 6',
  ])
  expect((await histogram.get()).values).toHaveLength(6)
  counted.length = 0
  expect(await register.metrics()).not.toContain('eu')
})
