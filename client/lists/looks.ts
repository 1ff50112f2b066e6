/** As wide as a button without a label, so that all fit into one row. */
export const onlyIconOnPhones = 'max-sm:w-11 max-sm:gap-0 max-sm:px-0'
