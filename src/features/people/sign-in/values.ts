/** Session storage key of the signed-in person. */
export const profileStorageKey = 'user_profile'
