import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The site answered with status (\d+)\.$/, 'Die Website hat mit Status $1 geantwortet.'],
  [/^The keyword is not in the answer\.$/, 'Das Stichwort fehlt in der Antwort.'],
  [/^The keyword is not in the first megabyte of the answer\.$/, 'Das Stichwort fehlt im ersten Megabyte der Antwort.'],
  [/^The unwanted keyword is in the answer\.$/, 'Das unerwünschte Stichwort steht in der Antwort.'],
  [/^Expected (.+), but it is empty\.$/, 'Erwartet war $1, es ist aber leer.'],
  [/^Expected (.+), but it is (".*")\.$/, 'Erwartet war $1, es ist aber $2.'],
]
