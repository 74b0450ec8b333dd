import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvError, csvLine, csvRows, plainCell } from '#contract/csv.ts'

const parseCsv = (text: string) => [...csvRows(text)].filter(row => row !== undefined)
const cells = (text: string) => parseCsv(text).map(row => row.cells)

describe('CSV', () => {
  test('is read with either line end, a byte order mark, quotes, and empty lines left out', () => {
    expect(cells('\ufeffa,b\r\n1,2\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(cells('a\n\n,\nb\rc')).toEqual([['a'], ['b'], ['c']])
    expect(cells('"a, ""b""\nc",d\n')).toEqual([['a, "b"\nc', 'd']])
    expect(cells(' a , b ')).toEqual([['a', 'b']])
    expect(cells('')).toEqual([])
    expect(parseCsv('a\n"b\nc"\nd').map(({ line }) => line)).toEqual([1, 2, 4])
  })

  test.each(['"a', 'a\n"b', '"a"b', 'a"b', '"a" ,b'])('%j is refused with its line', text =>
    expect(() => parseCsv(text)).toThrow(CsvError),
  )

  test('that a program for tables would read as a formula is marked, and read again without the mark', () => {
    expect(csvLine(['=cmd|"/c calc"!A1', '+1', '-1', '@a', 'plain'])).toBe(
      `"'=cmd|""/c calc""!A1","'+1","'-1","'@a","plain"\r\n`,
    )
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 5 }), row => {
        // a mark in front of a formula that was there before cannot be distinguished from ours
        fc.pre(row.every(text => !/^'[=+\-@\t\r]/.test(text)))
        expect(parseCsv(csvLine(row)).map(read => read.cells.map(plainCell))).toEqual([row])
      }),
    )
  })

  test('with a cell of more than 65,536 characters is refused with its line', () => {
    const long = 'x'.repeat(65_537)
    for (const cell of [long, `"${long}"`, `"${'""'.repeat(32_769)}"`, `"${'\n'.repeat(65_537)}"`])
      expect(() => parseCsv(`a\n${cell}\nb`)).toThrow('A cell has at most 65536 characters.')
    expect(cells(`"${'""'.repeat(32_767)}"`)).toEqual([['"'.repeat(32_767)]])
  })

  test('of a megabyte of quotes is read in linear time', () => {
    expect(() => parseCsv('"'.repeat(1_000_001))).toThrow(CsvError)
    expect(parseCsv('a,b\n'.repeat(200_000))).toHaveLength(200_000)
  })
})
