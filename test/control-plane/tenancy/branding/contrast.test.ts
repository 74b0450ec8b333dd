import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asText, contrastOf, onColor } from '#control-plane/tenancy/branding/contrast.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`)

test('contrast is computed as WCAG defines it', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#fff', '#FFFFFF')).toBe(1)
  // the values that WCAG's own tools give
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrastOf('#1f6feb', '#ffffff')).toBeCloseTo(4.63, 2)
})

test('a label is readable on a button of any colour', () => {
  fc.assert(fc.property(color, brand => contrastOf(brand, onColor(brand)) >= 4.5))
  expect([onColor('#ffd400'), onColor('#336699')]).toEqual(['#000000', '#ffffff'])
})

test('a name is in the brand’s colour only where that is readable', () => {
  expect(asText('#ffd400', '#f3f4f6', '#1f2937')).toBe('#1f2937')
  expect(asText('#336699', '#f3f4f6', '#1f2937')).toBe('#336699')
})
