import { listResults } from './list.ts'
import { getManyTimeseries, getTimeseries } from './timeseries.ts'

export const results = [listResults, getTimeseries, getManyTimeseries].flat()
