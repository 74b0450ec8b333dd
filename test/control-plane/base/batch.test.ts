import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Batch } from '#control-plane/base/batch.ts'

interface Question {
  by: string
  n: number
}

describe('questions that are asked together', () => {
  test('are shared by who asks: thousands of one do not keep another waiting', async () => {
    const statements: Question[][] = []
    const batch = new Batch(
      async (questions: readonly Question[]) => {
        statements.push([...questions])
        await sleep(1)
        return questions.map(({ by, n }) => `${by} ${n}`)
      },
      { largest: 100, keyOf: ({ by }) => by },
    )
    const hog = Array.from({ length: 5_000 }, (_, n) => batch.of({ by: 'hog', n }))
    await sleep(10)
    const before = statements.length
    expect(await batch.of({ by: 'other', n: 1 })).toBe('other 1')
    expect(statements.findIndex(questions => questions.some(({ by }) => by === 'other'))).toBeLessThanOrEqual(
      before + 2,
    )
    expect(await Promise.all(hog)).toEqual(Array.from({ length: 5_000 }, (_, n) => `hog ${n}`))
    expect(Math.max(...statements.map(({ length }) => length))).toBe(100)
  })

  test('go in the order in which they came where nobody tells them apart', async () => {
    const asked: number[] = []
    const batch = new Batch(
      async (questions: readonly number[]) => {
        asked.push(...questions)
        return questions
      },
      { largest: 7 },
    )
    await Promise.all(Array.from({ length: 50 }, (_, n) => batch.of(n)))
    expect(asked).toEqual(Array.from({ length: 50 }, (_, n) => n))
  })
})
