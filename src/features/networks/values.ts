/** Values of the contract that pages need without its schemas, which would weigh on the first load. */
export const networkStates = ['ONLINE', 'OFFLINE', ''] as const
export const detailStatuses = ['OK', 'WARNING', 'ERROR'] as const
export type NetworkStatus = (typeof detailStatuses)[number]
