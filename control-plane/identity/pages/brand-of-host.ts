import type { Services } from '#control-plane/http/services.ts'
import { type PageBrand, platformBrand } from './brand.ts'

/** The brand of a host: a host that is no portal of ours has the platform's. */
export const brandOfHost = async (_: Pick<Services, 'platform'>, _host: string): Promise<PageBrand> => platformBrand
