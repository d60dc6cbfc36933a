"""The papers that tests, adjustments and ways of ordering rest on, by the registered names."""

from __future__ import annotations

from bestofk.reporting.method_names import part_of
from bestofk.stats.aggregates import AGARWAL, RAO
from bestofk.stats.method import Paper, papers_of

PAPERS = {
    "student": Paper("Student 1908", "Student. The probable error of a mean. Biometrika 6(1), 1–25, 1908."),
    "dietterich": Paper(
        "Dietterich 1998",
        "Dietterich, T. G. Approximate statistical tests for comparing supervised classification learning algorithms. "
        "Neural Computation 10(7), 1895–1923, 1998.",
        "10.1162/089976698300017197",
    ),
    "alpaydin": Paper(
        "Alpaydın 1999",
        "Alpaydın, E. Combined 5 × 2 cv F test for comparing supervised classification learning algorithms. "
        "Neural Computation 11(8), 1885–1892, 1999.",
        "10.1162/089976699300016007",
    ),
    "nadeau": Paper(
        "Nadeau and Bengio 2003",
        "Nadeau, C. and Bengio, Y. Inference for the generalization error. Machine Learning 52(3), 239–281, 2003.",
        "10.1023/A:1024068626366",
    ),
    "bouckaert-frank": Paper(
        "Bouckaert and Frank 2004",
        "Bouckaert, R. R. and Frank, E. Evaluating the replicability of significance tests for comparing learning "
        "algorithms. PAKDD 2004, LNCS 3056, 3–12.",
        "10.1007/978-3-540-24775-3_3",
    ),
    "bouckaert": Paper(
        "Bouckaert 2003",
        "Bouckaert, R. R. Choosing between two learning algorithms based on calibrated tests. ICML 2003, 51–58.",
    ),
    "mcnemar": Paper(
        "McNemar 1947",
        "McNemar, Q. Note on the sampling error of the difference between correlated proportions or percentages. "
        "Psychometrika 12(2), 153–157, 1947.",
        "10.1007/BF02295996",
    ),
    "fagerland": Paper(
        "Fagerland et al. 2013",
        "Fagerland, M. W., Lydersen, S. and Laake, P. The McNemar test for binary matched-pairs data: mid-p and "
        "asymptotic are better than exact conditional. BMC Medical Research Methodology 13, 91, 2013.",
        "10.1186/1471-2288-13-91",
    ),
    "wilcoxon": Paper(
        "Wilcoxon 1945",
        "Wilcoxon, F. Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 80–83, 1945.",
        "10.2307/3001968",
    ),
    "demsar": Paper(
        "Demšar 2006",
        "Demšar, J. Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning "
        "Research 7, 1–30, 2006.",
    ),
    "fisher": Paper("Fisher 1935", "Fisher, R. A. The Design of Experiments. Oliver and Boyd, 1935."),
    "nemenyi": Paper(
        "Nemenyi 1963",
        "Nemenyi, P. B. Distribution-free multiple comparisons. PhD thesis, Princeton University, 1963.",
    ),
    "piater": Paper(
        "Piater et al. 1998",
        "Piater, J. H., Cohen, P. R., Zhang, X. and Atighetchi, M. A randomized ANOVA procedure for comparing "
        "performance curves. ICML 1998, 430–438.",
    ),
    "maris": Paper(
        "Maris and Oostenveld 2007",
        "Maris, E. and Oostenveld, R. Nonparametric statistical testing of EEG- and MEG-data. Journal of Neuroscience "
        "Methods 164(1), 177–190, 2007.",
        "10.1016/j.jneumeth.2007.03.024",
    ),
    "satterthwaite": Paper(
        "Satterthwaite 1946",
        "Satterthwaite, F. E. An approximate distribution of estimates of variance components. Biometrics Bulletin "
        "2(6), 110–114, 1946.",
        "10.2307/3002019",
    ),
    "tango": Paper(
        "Tango 1998",
        "Tango, T. Equivalence test and confidence interval for the difference in proportions for the paired-sample "
        "design. Statistics in Medicine 17(8), 891–908, 1998.",
        "10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
    ),
    "hodges": Paper(
        "Hodges and Lehmann 1963",
        "Hodges, J. L. and Lehmann, E. L. Estimates of location based on rank tests. Annals of Mathematical "
        "Statistics 34(2), 598–611, 1963.",
        "10.1214/aoms/1177704172",
    ),
    "gutmann": Paper(
        "Gutmann and Maymin 1987",
        "Gutmann, S. and Maymin, Z. Is the selected population the best? Annals of Statistics 15(1), 456–461, 1987.",
    ),
    "hung": Paper(
        "Hung and Fithian 2019",
        "Hung, K. and Fithian, W. Rank verification for exponential families. Annals of Statistics 47(2), 758–782, "
        "2019.",
        "10.1214/17-AOS1634",
    ),
    "hsu": Paper(
        "Hsu 1981",
        "Hsu, J. C. Simultaneous confidence intervals for all distances from the “best”. Annals of Statistics 9(5), "
        "1026–1034, 1981.",
        "10.1214/aos/1176345582",
    ),
    "mogstad": Paper(
        "Mogstad et al. 2024",
        "Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. Inference for ranks with applications to mobility "
        "across neighbourhoods and academic achievement across countries. Review of Economic Studies 91(1), 476–518, "
        "2024.",
        "10.1093/restud/rdad006",
    ),
    "anderson": Paper(
        "Anderson and ter Braak 2003",
        "Anderson, M. J. and ter Braak, C. J. F. Permutation tests for multi-factorial analysis of variance. Journal "
        "of Statistical Computation and Simulation 73(2), 85–113, 2003.",
        "10.1080/00949650215733",
    ),
    "gehan": Paper(
        "Gehan 1965",
        "Gehan, E. A. A generalized Wilcoxon test for comparing arbitrarily singly-censored samples. Biometrika 52, "
        "203–223, 1965.",
    ),
    "friedman": Paper(
        "Friedman 1937",
        "Friedman, M. The use of ranks to avoid the assumption of normality implicit in the analysis of variance. "
        "Journal of the American Statistical Association 32(200), 675–701, 1937.",
        "10.1080/01621459.1937.10503522",
    ),
    "iman": Paper(
        "Iman and Davenport 1980",
        "Iman, R. L. and Davenport, J. M. Approximations of the critical region of the Friedman statistic. "
        "Communications in Statistics – Theory and Methods 9(6), 571–595, 1980.",
        "10.1080/03610928008827904",
    ),
    "skillings": Paper(
        "Skillings and Mack 1981",
        "Skillings, J. H. and Mack, G. A. On the use of a Friedman-type statistic in balanced and unbalanced block "
        "designs. Technometrics 23(2), 171–177, 1981.",
        "10.1080/00401706.1981.10486261",
    ),
    "cochran": Paper(
        "Cochran 1950",
        "Cochran, W. G. The comparison of percentages in matched samples. Biometrika 37(3/4), 256–266, 1950.",
        "10.1093/biomet/37.3-4.256",
    ),
    "greenhouse": Paper(
        "Greenhouse and Geisser 1959",
        "Greenhouse, S. W. and Geisser, S. On methods in the analysis of profile data. Psychometrika 24(2), 95–112, "
        "1959.",
        "10.1007/BF02289823",
    ),
    "dunn": Paper(
        "Dunn 1961",
        "Dunn, O. J. Multiple comparisons among means. Journal of the American Statistical Association 56(293), "
        "52–64, 1961.",
        "10.1080/01621459.1961.10482090",
    ),
    "holm": Paper(
        "Holm 1979",
        "Holm, S. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2), "
        "65–70, 1979.",
    ),
    "hochberg": Paper(
        "Hochberg 1988",
        "Hochberg, Y. A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75(4), 800–802, "
        "1988.",
        "10.1093/biomet/75.4.800",
    ),
    "hommel": Paper(
        "Hommel 1988",
        "Hommel, G. A stagewise rejective multiple test procedure based on a modified Bonferroni test. Biometrika "
        "75(2), 383–386, 1988.",
        "10.1093/biomet/75.2.383",
    ),
    "finner": Paper(
        "Finner 1993",
        "Finner, H. On a monotonicity problem in step-down multiple test procedures. Journal of the American "
        "Statistical Association 88(423), 920–923, 1993.",
    ),
    "li": Paper(
        "Li 2008",
        "Li, J. A two-step rejection procedure for testing multiple hypotheses. Journal of Statistical Planning and "
        "Inference 138(6), 1521–1527, 2008.",
    ),
    "holland": Paper(
        "Holland and Copenhaver 1987",
        "Holland, B. S. and Copenhaver, M. D. An improved sequentially rejective Bonferroni test procedure. "
        "Biometrics 43(2), 417–423, 1987.",
    ),
    "shaffer": Paper(
        "Shaffer 1986",
        "Shaffer, J. P. Modified sequentially rejective multiple test procedures. Journal of the American Statistical "
        "Association 81(395), 826–831, 1986.",
        "10.1080/01621459.1986.10478341",
    ),
    "bergmann": Paper(
        "Bergmann and Hommel 1988",
        "Bergmann, B. and Hommel, G. Improvements of general multiple test procedures for redundant systems of "
        "hypotheses. In: Multiple Hypotheses Testing, Springer, 100–115, 1988.",
    ),
    "benjamini-hochberg": Paper(
        "Benjamini and Hochberg 1995",
        "Benjamini, Y. and Hochberg, Y. Controlling the false discovery rate: a practical and powerful approach to "
        "multiple testing. Journal of the Royal Statistical Society B 57(1), 289–300, 1995.",
        "10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "benjamini-yekutieli": Paper(
        "Benjamini and Yekutieli 2001",
        "Benjamini, Y. and Yekutieli, D. The control of the false discovery rate in multiple testing under "
        "dependency. Annals of Statistics 29(4), 1165–1188, 2001.",
        "10.1214/aos/1013699998",
    ),
    "yildiz": Paper(
        "Yıldız and Alpaydın 2006",
        "Yıldız, O. T. and Alpaydın, E. Ordering and finding the best of K > 2 supervised learning algorithms. IEEE "
        "Transactions on Pattern Analysis and Machine Intelligence 28(3), 392–402, 2006.",
    ),
    "ulas": Paper(
        "Ulaş et al. 2012",
        "Ulaş, A., Yıldız, O. T. and Alpaydın, E. Cost-conscious comparison of supervised learning algorithms over "
        "multiple data sets. Pattern Recognition 45(4), 1772–1781, 2012.",
    ),
    "fisher-anova": Paper(
        "Fisher 1925", "Fisher, R. A. Statistical Methods for Research Workers. Oliver and Boyd, 1925."
    ),
    "kruskal": Paper(
        "Kruskal and Wallis 1952",
        "Kruskal, W. H. and Wallis, W. A. Use of ranks in one-criterion variance analysis. Journal of the American "
        "Statistical Association 47(260), 583–621, 1952.",
        "10.1080/01621459.1952.10483441",
    ),
    "looney": Paper(
        "Looney 1988",
        "Looney, S. W. A statistical technique for comparing the accuracies of several classifiers. Pattern "
        "Recognition Letters 8(1), 5–9, 1988.",
    ),
    "newman": Paper(
        "Newman 1939",
        "Newman, D. The distribution of range in samples from a normal population, expressed in terms of an "
        "independent estimate of standard deviation. Biometrika 31(1/2), 20–30, 1939.",
        "10.1093/biomet/31.1-2.20",
    ),
    "keuls": Paper(
        "Keuls 1952",
        "Keuls, M. The use of the “studentized range” in connection with an analysis of variance. Euphytica 1, "
        "112–122, 1952.",
        "10.1007/BF01908269",
    ),
    "tukey": Paper(
        "Tukey 1949",
        "Tukey, J. W. Comparing individual means in the analysis of variance. Biometrics 5(2), 99–114, 1949.",
        "10.2307/3001913",
    ),
    "duncan": Paper(
        "Duncan 1955",
        "Duncan, D. B. Multiple range and multiple F tests. Biometrics 11(1), 1–42, 1955.",
        "10.2307/3001478",
    ),
    "yildiz-aslan": Paper(
        "Yıldız et al. 2011",
        "Yıldız, O. T., Aslan, Ö. and Alpaydın, E. Multivariate statistical tests for comparing classification "
        "algorithms. LION 5, LNCS 6683, 2011.",
    ),
    "benavoli": Paper(
        "Benavoli et al. 2017",
        "Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. Time for a change: a tutorial for comparing multiple "
        "classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1–36, 2017.",
    ),
    "corani": Paper(
        "Corani et al. 2017",
        "Corani, G., Benavoli, A., Demšar, J., Mangili, F. and Zaffalon, M. Statistical comparison of classifiers "
        "through Bayesian hierarchical modelling. Machine Learning 106(11), 1817–1837, 2017.",
        "10.1007/s10994-017-5641-9",
    ),
    "efron": Paper(
        "Efron 1979",
        "Efron, B. Bootstrap methods: another look at the jackknife. Annals of Statistics 7(1), 1–26, 1979.",
        "10.1214/aos/1176344552",
    ),
    "westfall": Paper(
        "Westfall and Young 1993",
        "Westfall, P. H. and Young, S. S. Resampling-Based Multiple Testing. Wiley, 1993.",
    ),
    "cohen": Paper(
        "Cohen 1988",
        "Cohen, J. Statistical Power Analysis for the Behavioral Sciences, 2nd edition. Lawrence Erlbaum, 1988.",
    ),
    "vargha": Paper(
        "Vargha and Delaney 2000",
        "Vargha, A. and Delaney, H. D. A critique and improvement of the CL common language effect size statistics of "
        "McGraw and Wong. Journal of Educational and Behavioral Statistics 25(2), 101–132, 2000.",
        "10.3102/10769986025002101",
    ),
    "kerby": Paper(
        "Kerby 2014",
        "Kerby, D. S. The simple difference formula: an approach to teaching nonparametric correlation. Comprehensive "
        "Psychology 3, 11.IT.3.1, 2014.",
        "10.2466/11.IT.3.1",
    ),
    "hotelling": Paper(
        "Hotelling 1931",
        "Hotelling, H. The generalization of Student's ratio. Annals of Mathematical Statistics 2(3), 360–378, 1931.",
        "10.1214/aoms/1177732979",
    ),
    "rencher": Paper("Rencher 1995", "Rencher, A. C. Methods of Multivariate Analysis. Wiley, New York, 1995."),
    "mottonen": Paper(
        "Möttönen and Oja 1995",
        "Möttönen, J. and Oja, H. Multivariate spatial sign and rank methods. Journal of Nonparametric Statistics "
        "5(2), 201–213, 1995.",
    ),
    "gerig": Paper(
        "Gerig 1969",
        "Gerig, T. M. A multivariate extension of Friedman's χ²r-test. Journal of the American Statistical "
        "Association 64, 1595–1608, 1969.",
    ),
    "berger": Paper(
        "Berger 1982",
        "Berger, R. L. Multiparameter hypothesis testing and acceptance sampling. Technometrics 24(4), 295–300, 1982.",
    ),
    "bradley": Paper(
        "Bradley and Terry 1952",
        "Bradley, R. A. and Terry, M. E. Rank analysis of incomplete block designs: I. The method of paired "
        "comparisons. Biometrika 39(3–4), 324–345, 1952.",
        "10.1093/biomet/39.3-4.324",
    ),
    "liang": Paper(
        "Liang and Zeger 1986",
        "Liang, K.-Y. and Zeger, S. L. Longitudinal data analysis using generalized linear models. Biometrika 73(1), "
        "13–22, 1986.",
        "10.1093/biomet/73.1.13",
    ),
    "bell": Paper(
        "Bell and McCaffrey 2002",
        "Bell, R. M. and McCaffrey, D. F. Bias reduction in standard errors for linear regression with multi-stage "
        "samples. Survey Methodology 28(2), 169–181, 2002.",
    ),
    "delong": Paper(
        "DeLong, DeLong and Clarke-Pearson 1988",
        "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. Comparing the areas under two or more correlated "
        "receiver operating characteristic curves: a nonparametric approach. Biometrics 44(3), 837–845, 1988.",
        "10.2307/2531595",
    ),
    "schafer": Paper(
        "Schäfer and Strimmer 2005",
        "Schäfer, J. and Strimmer, K. A shrinkage approach to large-scale covariance matrix estimation and "
        "implications for functional genomics. Statistical Applications in Genetics and Molecular Biology 4(1), 2005.",
        "10.2202/1544-6115.1175",
    ),
    "provost": Paper(
        "Provost and Fawcett 2001",
        "Provost, F. and Fawcett, T. Robust classification for imprecise environments. Machine Learning 42(3), "
        "203–231, 2001.",
        "10.1023/A:1007601015854",
    ),
    "agarwal": AGARWAL,
    "rao": RAO,
}


#: Name of an effect or of another method that stands on no shelf → its papers, most important first.
PAPERS_OF = {
    "friedman (Iman–Davenport)": ("friedman", "iman"),
    "repeated-anova (Greenhouse–Geisser)": ("greenhouse",),
    "bayes-sign": ("benavoli",),
    "bayes-hierarchical": ("corani",),
    "bayes-correlated": ("benavoli",),
    "bootstrap": ("efron",),
    "largest-correlation": ("westfall",),
    "hotelling-corrected": ("hotelling", "yildiz-aslan", "nadeau"),
    "winner": ("gutmann", "hung"),
    "rank-intervals": ("mogstad",),
    "within": ("hsu",),
    "manova-corrected": ("rencher", "nadeau"),
    "roc-hull": ("provost",),
    "aggregates": ("agarwal", "rao"),
    "cohens_d": ("cohen",),
    "a12": ("vargha",),
    "rank_biserial": ("kerby",),
}


def references_of(name: str) -> tuple[Paper, ...]:
    """The papers behind a registered name: a part says them itself.

    Examples
    --------
    >>> [paper.short for paper in references_of("corrected-t")]
    ['Nadeau and Bengio 2003', 'Bouckaert and Frank 2004']
    """
    part = part_of(name)
    papers = PAPERS_OF.get(name, ()) if part is None else papers_of(part)
    return tuple(PAPERS[each] if isinstance(each, str) else each for each in papers)
